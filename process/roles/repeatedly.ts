export interface Repeated {
  /** Runs the task at once, or again as soon as the current run is over. */
  soon(): void
  /** Resolves once the current run is over. */
  stop(): Promise<void>
}

/**
 * Runs a task at intervals, never twice at once: if a run takes longer, the next one waits for the next interval. A failure is
 * reported, and the next run follows.
 */
export function repeatedly(every_ms: number, run: () => Promise<unknown>, onError: (error: unknown) => void): Repeated {
  let round = Promise.resolve()
  let isAtWork = false
  let isWantedAgain = false
  let isStopped = false

  function begin(): void {
    if (isAtWork || isStopped) return
    isAtWork = true
    isWantedAgain = false
    round = run()
      .then(() => undefined, onError)
      .finally(() => {
        isAtWork = false
        if (isWantedAgain) begin()
      })
  }

  const timer = setInterval(begin, every_ms)
  timer.unref()
  return {
    soon() {
      isWantedAgain = true
      begin()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await round
    },
  }
}
