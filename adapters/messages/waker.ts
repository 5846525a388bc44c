/** Wakes readers that wait for new rows. */
export interface Waker {
  /** How often it was called. */
  readonly calls: number
  call(): void
  /** Resolves once it was called more often than that, `poll_ms` have passed, or the signal aborts. */
  after(calls: number, signal: AbortSignal): Promise<void>
}

/** A wait always ends after `poll_ms`, because calls of other processes can get lost. */
export function wakerWith(poll_ms: number): Waker {
  let calls = 0
  const waiting = new Set<() => void>()
  return {
    get calls() {
      return calls
    },
    call() {
      calls += 1
      for (const wake of waiting) wake()
    },
    after(known, signal) {
      if (calls > known || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake)
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, poll_ms)
        signal.addEventListener('abort', wake, { once: true })
        waiting.add(wake)
      })
    },
  }
}
