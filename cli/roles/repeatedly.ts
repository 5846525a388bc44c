/**
 * Runs a task at intervals, never twice at once: if a run takes longer, the next one waits for the next interval. A failure is
 * reported, and the next run follows. `stop` resolves once the current run is over.
 */
export function repeatedly(
  every_ms: number,
  run: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let round = Promise.resolve()
  let isAtWork = false
  const timer = setInterval(() => {
    if (isAtWork) return
    isAtWork = true
    round = run()
      .then(() => undefined, onError)
      .finally(() => (isAtWork = false))
  }, every_ms)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await round
    },
  }
}
