import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'

/** The most events that wait in memory for followers. A follower that is further behind reads the store. */
export const newestEvents_max = 2000

/** The position of one follower of the store. */
export interface FollowerPosition {
  /** The position of the last event that the follower has finished. */
  position: Position
}

/**
 * The newest events of a store that this process knows without reading: those it appended itself, and those one of its
 * followers has read. They are kept until all followers of the process have had them.
 */
export interface NewestEvents {
  /** Adds all events of the store after a position, up to the last of these, without gaps. */
  readonly extend: (after: Position, events: readonly RecordedEvent[]) => void
  /** The next events after a position, at most `limit`. Empty if they are not in memory. */
  after(position: Position, limit: number): readonly RecordedEvent[]
  /** Adds a follower that events are kept for. */
  join(follower: FollowerPosition): void
  leave(follower: FollowerPosition): void
}

/** Starts empty. */
export function newestEvents(): NewestEvents {
  const followers = new Set<FollowerPosition>()
  /** All events of the store after `start`, up to `end`. */
  let held: RecordedEvent[] = []
  let start: Position | undefined
  let end: Position | undefined

  function drop(count: number): void {
    const last = held[count - 1]
    if (!last) return
    start = last.position
    held.splice(0, count)
  }

  /** Drops the events that all followers have had, and the oldest if there are too many. */
  function trim(): void {
    let slowest = end
    for (const { position } of followers) if (slowest === undefined || position < slowest) slowest = position
    const had = slowest === undefined ? 0 : indexAfter(held, slowest)
    drop(Math.max(had, held.length - newestEvents_max))
  }

  return {
    extend(after, events) {
      const last = events.at(-1)
      if (!last || (end !== undefined && last.position <= end)) return
      // Another process has appended in between, or nothing was known.
      if (start === undefined || end === undefined || after > end) {
        held = []
        start = after
        end = after
      }
      // These events begin further back, so they say nothing about the missing part in between.
      if (after < start) return
      const known = end
      held.push(...events.filter(({ position }) => position > known))
      end = last.position
      trim()
    },
    after(position, limit) {
      if (start === undefined || position < start) return []
      const from = indexAfter(held, position)
      return held.slice(from, from + limit)
    },
    join: (follower) => followers.add(follower),
    leave(follower) {
      followers.delete(follower)
      trim()
    },
  }
}

/** How many of the ordered events stand at or before a position. */
function indexAfter(events: readonly RecordedEvent[], position: Position): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    const event = events[middle]
    if (event && event.position <= position) low = middle + 1
    else high = middle
  }
  return low
}
