import type { Position } from '../../domain/kernel/position.ts'

/** Tells how old the oldest event is that a follower lacks. Positions carry no time, so it notes when it saw each end. */
export interface LagClock {
  /**
   * Seconds since a look first saw an end of the store that the follower has not reached; 0 if it has reached the end. It is
   * too low by at most the time between two looks.
   */
  lag_seconds(follower: string, position: Position, end: Position): number
}

interface SeenEnd {
  readonly end: Position
  readonly at_ms: number
}

/** Followers further behind than this many looks keep their oldest end, which is what counts. */
const ends_max = 1000

/** Opens a clock that has seen nothing. `now_ms` is the time in milliseconds, and never goes back. */
export function openLagClock(now_ms: () => number = () => performance.now()): LagClock {
  const seen = new Map<string, readonly SeenEnd[]>()
  return {
    lag_seconds(follower, position, end) {
      const at_ms = now_ms()
      const before = seen.get(follower) ?? []
      const isNew = end > (before.at(-1)?.end ?? position) && before.length < ends_max
      const ends = (isNew ? [...before, { end, at_ms }] : before).filter((each) => each.end > position)
      seen.set(follower, ends)
      const [oldest] = ends
      return oldest ? (at_ms - oldest.at_ms) / 1000 : 0
    },
  }
}
