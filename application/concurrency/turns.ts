/** Lets a few tasks work at once, and the others wait for their turn for some time. */
export interface Turns {
  /** Resolves with whether it is the task's turn: false after `wait_ms_max`, or at once if too many wait. */
  next(wait_ms_max: number): Promise<boolean>
  /** The task has ended. Call it once for each turn. */
  done(): void
}

export function turns({
  atOnce_max,
  waiting_max,
}: {
  readonly atOnce_max: number
  readonly waiting_max: number
}): Turns {
  const waiting = new Set<() => void>()
  let atWork = 0
  return {
    next(wait_ms_max) {
      if (atWork < atOnce_max) {
        atWork += 1
        return Promise.resolve(true)
      }
      if (waiting.size >= waiting_max) return Promise.resolve(false)
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(begin)
          resolve(false)
        }, wait_ms_max)
        const begin = (): void => {
          clearTimeout(timer)
          resolve(true)
        }
        waiting.add(begin)
      })
    },
    done() {
      const [begin] = waiting
      if (!begin) {
        atWork -= 1
        return
      }
      waiting.delete(begin)
      begin()
    },
  }
}
