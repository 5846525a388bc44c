import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'
import { liveEvents } from './live-events.ts'
import { revealedTo } from './read-stream.ts'
import { objectOfEvent } from './objects-for-readers.ts'
import { filterOf, type EventSearch } from './search-events.ts'

/** How many may follow the events of one process at a time. Each reads the store by itself. */
export const liveReaders_max = 20

/** Events as they come, each with its position, until the signal aborts. */
export type FollowedEvents = (
  signal: AbortSignal,
) => AsyncIterable<{ readonly id: string; readonly item: HistoryEventObject }>

/**
 * Follows the events that match, from a position on or from now on. They are told as soon as they are written, which may be before
 * the read models have them. Refuses with SERVICE_UNAVAILABLE where `liveReaders_max` follow already (rules/administration#history).
 */
export function followEvents({ events }: Pick<Ports, 'events'>) {
  let readers_count = 0
  return async (
    caller: Caller,
    search: EventSearch,
    { after, reveal }: { readonly after: Position | undefined; readonly reveal: boolean },
  ): Promise<FollowedEvents> => {
    if (readers_count >= liveReaders_max) reject('SERVICE_UNAVAILABLE')
    const revealed = revealedTo(caller, reveal)
    const filter = filterOf(search)
    const start = after ?? (await events.end())
    return async function* followed(signal) {
      readers_count += 1
      try {
        for await (const event of liveEvents(events, { after: start, filter, signal }))
          yield { id: event.position.toString(), item: objectOfEvent(event, revealed) }
      } finally {
        readers_count -= 1
      }
    }
  }
}
