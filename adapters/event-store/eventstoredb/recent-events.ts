import { LRUCache } from 'lru-cache'
import type { Position, Revision } from '../../../domain/kernel/position.ts'

/** What is remembered of an event that was read or written. */
export interface SeenEvent {
  readonly eventId: string
  readonly storeId: string
  readonly revision: Revision
  readonly position: Position
  /** When it was recorded, in milliseconds since the Unix epoch. */
  readonly recorded_ms: number
}

/** Events of one stream by id, without a gap between `first` and `last`. */
export interface Stretch {
  readonly first: SeenEvent
  readonly last: SeenEvent
  readonly events: ReadonlyMap<string, SeenEvent>
}

export const stretchEvents_max = 2000
export const recentEvents_max = 100_000

/** The newest events that this process has seen in each stream, within bounds. They need not be read again. */
export interface RecentEvents {
  of(stream: string): Stretch | undefined
  /** Takes consecutive events of a stream, oldest first. */
  note(stream: string, seen: readonly SeenEvent[]): void
}

export function recentEvents(): RecentEvents {
  const streams = new LRUCache<string, OwnStretch>({
    maxSize: recentEvents_max,
    sizeCalculation: ({ events }) => events.size,
  })
  return {
    of: (stream) => streams.get(stream),
    note(stream, seen) {
      const [first] = seen
      const last = seen.at(-1)
      if (!first || !last) return
      const held = streams.get(stream)
      const stretch = held ? joined(held, seen, first, last) : { first, last, events: byId(seen) }
      if (stretch) streams.set(stream, trimmed(stretch))
    },
  }
}

type OwnStretch = Stretch & { readonly events: Map<string, SeenEvent> }

const byId = (events: readonly SeenEvent[]): Map<string, SeenEvent> =>
  new Map(events.map((event) => [event.eventId, event]))

/** Joins both if they touch. Otherwise gives the newer of them; undefined if that is the one already held. */
function joined(
  held: OwnStretch,
  seen: readonly SeenEvent[],
  first: SeenEvent,
  last: SeenEvent,
): OwnStretch | undefined {
  if (first.revision > held.last.revision + 1) return { first, last, events: byId(seen) }
  if (last.revision < held.first.revision - 1) return undefined
  const older = seen.filter(({ revision }) => revision < held.first.revision)
  const events = older.length === 0 ? held.events : byId([...older, ...held.events.values()])
  for (const event of seen) if (event.revision > held.last.revision) events.set(event.eventId, event)
  return {
    first: older[0] ?? held.first,
    last: last.revision > held.last.revision ? last : held.last,
    events,
  }
}

/** Drops the oldest events if there are too many. */
function trimmed(stretch: OwnStretch): OwnStretch {
  const { events } = stretch
  for (const [eventId, event] of events) {
    if (events.size <= stretchEvents_max) return { ...stretch, first: event }
    events.delete(eventId)
  }
  return stretch
}
