import { tick_ms } from './presence-bounds.js'

/** What presence needs of a clock: to be called every so often, until the returned function is called. */
export interface PresenceClock {
  every(period_ms: number, task: () => void): () => void
}

/** Time in ticks of the process itself: while it stands still, no time passes and nobody is missed. */
export interface PresenceTicks {
  readonly now_ms: number
  stop(): void
}

/** Calls `task` once a tick. What it throws goes to `onError`, and the next tick comes. */
export function presenceTicks(
  clock: PresenceClock,
  task: () => void,
  onError: (error: unknown) => void,
): PresenceTicks {
  let now_ms = 0
  const stop = clock.every(tick_ms, () => {
    now_ms += tick_ms
    try {
      task()
    } catch (error) {
      onError(error)
    }
  })
  return {
    get now_ms() {
      return now_ms
    },
    stop,
  }
}
