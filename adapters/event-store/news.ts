import { beforeAll, type Position } from '../../application/ports/event-store.js'

/** The newest known position of a store. Followers wait here for a newer one. */
export interface News {
  /** Records that the store holds an event at a position. */
  announce(position: Position): void
  /** The highest announced position; `beforeAll` if none was announced. */
  newest(): Position
  /** Resolves once a later position is announced, `poll_ms` have passed, or the signal aborts. */
  after(position: Position, signal: AbortSignal): Promise<void>
}

/**
 * Starts without a known position. A wait always ends after `poll_ms`, because announcements of other processes can get lost.
 */
export function newsOf(poll_ms: number): News {
  let newest = beforeAll
  const waiting = new Set<{ readonly position: Position; readonly wake: () => void }>()
  return {
    newest: () => newest,
    announce(position) {
      if (position <= newest) return
      newest = position
      for (const waiter of waiting) if (waiter.position < newest) waiter.wake()
    },
    after(position, signal) {
      if (position < newest || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(waiter)
          clearTimeout(timer)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const waiter = { position, wake }
        const timer = setTimeout(wake, poll_ms)
        signal.addEventListener('abort', wake, { once: true })
        waiting.add(waiter)
      })
    },
  }
}
