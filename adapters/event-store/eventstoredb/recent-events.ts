import { LRUCache } from 'lru-cache'
import type { Position, Revision } from '../../../application/ports/event-store.js'

/** What is kept of an event that was read or written. */
export interface SeenEvent {
  readonly eventId: string
  readonly storeId: string
  readonly revision: Revision
  readonly position: Position
  /** When it was recorded, in milliseconds since the Unix epoch. */
  readonly recorded_ms: number
}

/** Events of one stream without a gap between `first` and `last`, by their ids. */
export interface Stretch {
  readonly first: SeenEvent
  readonly last: SeenEvent
  readonly events: ReadonlyMap<string, SeenEvent>
}

export const stretchEvents_max = 2000
export const recentEvents_max = 100_000

/** The newest events that this process has seen of each stream, within bounds: what needs not be read again. */
export interface RecentEvents {
  of(stream: string): Stretch | undefined
  /** Takes in events that follow one another in a stream, oldest first. */
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

/** Both together where they touch; else the newer of them, which is undefined where that is the one held. */
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

/** Without the oldest of its events, where they are too many. */
function trimmed(stretch: OwnStretch): OwnStretch {
  const { events } = stretch
  for (const [eventId, event] of events) {
    if (events.size <= stretchEvents_max) return { ...stretch, first: event }
    events.delete(eventId)
  }
  return stretch
}
