import { categoryOf } from '../../domain/streams.ts'
import type { Category } from '../../domain/aggregates.ts'
import type { Heard } from './heard-events.ts'
import type { Cache } from './cache.ts'
import { readings } from './readings.ts'

/** A number that differs after every change, which a copy asks for each second. */
export interface Changes {
  readonly changes: () => Promise<number>
}

export interface ChangesSettings {
  /** The streams whose events may change the number. */
  readonly category: Category
  /** Whether this process hears of every event. */
  readonly hearsAll: () => boolean
  /** A clock that never steps back. */
  readonly now_ms: () => number
}

/** The number is read again after this long, whatever was heard. */
export const unheard_ms_max = 60_000

/** How often something has changed: cached while `hearsAll`, until an event of the category. */
export function cachedChanges<Queries extends Changes>(
  queries: Queries,
  { category, hearsAll, now_ms }: ChangesSettings,
): Cache<Queries> {
  const { begin, forgetAll } = readings()
  let known: { readonly changes: number; readonly readAt_ms: number } | undefined

  function forgetKnown(): void {
    forgetAll()
    known = undefined
  }

  return {
    queries: {
      ...queries,
      async changes() {
        const readAt_ms = now_ms()
        if (hearsAll() && known && readAt_ms - known.readAt_ms < unheard_ms_max) return known.changes
        const wasCurrent = hearsAll()
        const read = begin()
        try {
          const changes = await queries.changes()
          if (wasCurrent && hearsAll() && read.isFresh('changes')) known = { changes, readAt_ms }
          return changes
        } finally {
          read.end()
        }
      },
    },
    forget({ stream }: Heard) {
      if (categoryOf(stream) === category) forgetKnown()
    },
    forgetAll: forgetKnown,
  }
}
