const delay_ms_min = 50

/** The longest pause before the next try. */
export const retryDelay_ms_max = 2000

/** How long to wait before trying again after so many failures in a row: doubling, bounded, in milliseconds. */
export function retryDelay_ms(failures: number): number {
  return Math.min(delay_ms_min * 2 ** Math.min(failures, 10), retryDelay_ms_max)
}

/** Resolves after some time, or as soon as a signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

/** As a promise does, or resolves as soon as a signal aborts. */
export async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const left = new AbortController()
  try {
    await Promise.race([promise, abortOf(signal, left.signal)])
  } finally {
    left.abort()
  }
}

function abortOf(signal: AbortSignal, left: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: left })
  })
}
