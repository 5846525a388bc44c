import { tick_ms } from './presence-bounds.ts'

/** The clock that presence needs: calls a task periodically, until the returned function is called. */
export interface PresenceClock {
  every(period_ms: number, task: () => void): () => void
}

/** Time in ticks of this process. While the process stands still, no time passes and no Gateway counts as silent. */
export interface PresenceTicks {
  readonly now_ms: number
  stop(): void
}

/** Calls `task` once per tick. Errors go to `onError`, and the next tick follows. */
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
