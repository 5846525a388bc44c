import { categoryOf } from '../../domain/streams.js'
import type { RecordedEvent } from '../ports/event-store.js'
import type { BlocklistQueries } from '../ports/queries/blocklist-queries.js'
import type { Held } from './held.js'
import { readings } from './readings.js'

/** How often blocklists have changed, which copies of them ask each second: read while `hearsAll`, until an event says otherwise. */
export function changesAtHand(queries: BlocklistQueries, hearsAll: () => boolean): Held<BlocklistQueries> {
  const { begin, forgetAll } = readings()
  let known: number | undefined

  function forgetKnown(): void {
    forgetAll()
    known = undefined
  }

  return {
    queries: {
      ...queries,
      async changes() {
        if (known !== undefined) return known
        const read = begin()
        try {
          const found = await queries.changes()
          if (hearsAll() && read.isFresh('changes')) known = found
          return found
        } finally {
          read.end()
        }
      },
    },
    forget({ stream }: RecordedEvent) {
      if (categoryOf(stream) === 'blocklist_entry') forgetKnown()
    },
    forgetAll: forgetKnown,
  }
}
