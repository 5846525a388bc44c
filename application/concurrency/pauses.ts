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

/** As a promise does, or resolves after some time. */
export async function unlessLate(promise: Promise<unknown> | undefined, ms: number): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([promise, pause(ms, over.signal)])
  } finally {
    over.abort()
  }
}

/** As a promise does, or resolves as soon as a signal aborts. */
export async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const left = new AbortController()
  try {
    await Promise.race([promise, aborted(signal, left.signal)])
  } finally {
    left.abort()
  }
}

/** Resolves once a signal aborts. `left` aborts when nobody waits for that any more. */
export function aborted(signal: AbortSignal, left?: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, ...(left && { signal: left }) })
  })
}
