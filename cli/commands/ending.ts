import type { Logger } from 'pino'

/** How long a process that was told to end may take to answer accepted requests and to close what it has opened. */
export const end_ms_max = 20_000
/** How long it may continue after everything is closed: then it holds something that does not end by itself. */
const linger_ms_max = 500

/** The end of a process: requested by SIGINT or SIGTERM, or by itself if it can't continue. */
export interface Ending {
  /** Aborts with the name of the signal, or with the error. */
  readonly stopping: AbortSignal
  /** Ends in order, with exit status 1 and a line that says why. */
  fail(error: Error): void
  /** Call it when everything is closed: the process ends within `linger_ms_max`. */
  closed(): void
}

/**
 * Listens for the signals. The process ends within `end_ms_max` after the first one, whatever hangs. What is not closed by then
 * is aborted, which loses nothing that was acknowledged, and the exit status is 1. A second signal ends it at once, with the
 * signal's default effect.
 */
export function endingOf(logger: Logger): Ending {
  const stopping = new AbortController()
  const end = (reason: unknown): void => {
    if (stopping.signal.aborted) return
    // This timer ends a process that something keeps alive, and does not keep the process alive itself.
    setTimeout(() => {
      logger.warn({ end_ms_max }, 'ended without closing everything: something hangs')
      process.exit(1)
    }, end_ms_max).unref()
    stopping.abort(reason)
  }
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM']
  for (const signal of signals) process.once(signal, () => end(signal))
  return {
    stopping: stopping.signal,
    fail(error) {
      logger.fatal(error.message)
      process.exitCode = 1
      end(error)
    },
    closed() {
      setTimeout(() => process.exit(), linger_ms_max).unref()
    },
  }
}
