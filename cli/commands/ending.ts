import type { Logger } from 'pino'

/** How long a process has, once it was told to end, to answer what it has taken and to close what it has opened. */
export const end_ms_max = 20_000
/** For how long it may stay after everything is closed: then it holds something that does not end by itself. */
const linger_ms_max = 500

/** The end of a process: asked for by SIGINT or SIGTERM, or by itself where it can't go on. */
export interface Ending {
  /** Aborts with the name of the signal, or with the error. */
  readonly stopping: AbortSignal
  /** Ends in order, with exit status 1 and a line that says why. */
  fail(error: Error): void
  /** Everything is closed: the process is gone within `linger_ms_max`. */
  closed(): void
}

/**
 * Hears the signals. From the first one on the process is gone within `end_ms_max`, whatever hangs: what is not closed by then is
 * broken off, which loses nothing that was acknowledged, and the exit status is 1. A second signal ends it as if nobody had listened.
 */
export function endingOf(logger: Logger): Ending {
  const stopping = new AbortController()
  const end = (reason: unknown): void => {
    if (stopping.signal.aborted) return
    // It ends a process that something keeps alive, and keeps none alive itself.
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
