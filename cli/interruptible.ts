const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']

/** Runs a task that has to end early, and in order, on SIGINT or SIGTERM. A second signal ends the process at once. */
export async function interruptible<Result>(task: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController()
  const interrupt = (): void => {
    stopListening()
    interruption.abort()
  }
  const stopListening = (): void => {
    for (const name of signals) process.removeListener(name, interrupt)
  }
  for (const name of signals) process.on(name, interrupt)
  try {
    return await task(interruption.signal)
  } catch (error) {
    throw interruption.signal.aborted ? new Error('Interrupted', { cause: error }) : error
  } finally {
    stopListening()
  }
}
