/**
 * Runs something every so often, never twice at once: where a run takes longer, the next one waits for its own turn. A failure is
 * told of, and the next run comes. `stop` resolves once the run at work is over.
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
