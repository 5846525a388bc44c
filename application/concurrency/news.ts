/** The newest of some numbers that only rise, and everybody who waits for a newer one. */
export interface News<Value extends bigint | number> {
  /** Wakes those who wait for a number that this one is above. One that is not the highest so far is no news. */
  announce(value: Value): void
  /** The highest number that was announced; the first one where there was none. */
  newest(): Value
  /** Resolves once a number above this one is announced, `poll_ms` have passed, or the signal aborts. */
  after(value: Value, signal: AbortSignal): Promise<void>
}

/** Waiting ends after `poll_ms` all the same: announcements of other processes can get lost. */
export function newsOf<Value extends bigint | number>(first: Value, poll_ms: number): News<Value> {
  let newest = first
  const waiting = new Set<{ readonly value: Value; readonly wake: () => void }>()
  return {
    newest: () => newest,
    announce(value) {
      if (value <= newest) return
      newest = value
      for (const waiter of waiting) if (waiter.value < newest) waiter.wake()
    },
    after(value, signal) {
      if (value < newest || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(waiter)
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const waiter = { value, wake }
        const timer = setTimeout(wake, poll_ms)
        signal.addEventListener('abort', wake, { once: true })
        waiting.add(waiter)
      })
    },
  }
}
