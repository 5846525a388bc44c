import type { Position, RecordedEvent } from '../../application/ports/event-store.js'

/** Events that wait in memory at most for those who follow. Whoever is further behind reads the store. */
export const newestEvents_max = 2000

/** Somebody who follows the store. */
export interface FollowerPlace {
  /** The position of the last event that it has finished. */
  position: Position
}

/**
 * The newest events of a store as this process knows them without reading: what it appended itself, and what one of its followers has
 * read. They are kept until all followers of the process have had them.
 */
export interface NewestEvents {
  /** Takes up all events of the store from a position to the last of these, with none left out. */
  readonly extend: (after: Position, events: readonly RecordedEvent[]) => void
  /** The next events after a position, at most `limit`: none where they are not at hand. */
  after(position: Position, limit: number): readonly RecordedEvent[]
  /** Counts one who follows among those whom events are kept for. */
  join(follower: FollowerPlace): void
  leave(follower: FollowerPlace): void
}

/** Holds nothing yet. */
export function newestEvents(): NewestEvents {
  const followers = new Set<FollowerPlace>()
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

  /** What everybody has had goes, and the oldest where there are too many. */
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
      // From further back: it says nothing of what is missing in between.
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

/** How many of the events, which are in order, stand at a position or before it. */
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
