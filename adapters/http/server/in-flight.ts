import type { ServerResponse } from 'node:http'

/** Counts the open requests: until their work is done and their answer is sent, or their client is gone. */
export interface InFlight {
  readonly count: number
  /** Counts a request. Call the returned function when its work is done. */
  enter(response: ServerResponse): () => void
  /** Resolves once no request is left, or after `wait_ms`. Gives whether none is left. */
  ended(wait_ms: number): Promise<boolean>
}

export function inFlight(): InFlight {
  let count = 0
  const waiting = new Set<() => void>()

  function leave(): void {
    count -= 1
    if (count === 0) for (const resolve of waiting) resolve()
  }

  return {
    get count() {
      return count
    },
    enter(response) {
      count += 1
      let parts = 2
      const partDone = (): void => {
        parts -= 1
        if (parts === 0) leave()
      }
      response.once('close', partDone)
      return partDone
    },
    async ended(wait_ms) {
      if (count === 0) return true
      return new Promise((resolve) => {
        const settle = (): void => {
          clearTimeout(timer)
          waiting.delete(settle)
          resolve(count === 0)
        }
        const timer = setTimeout(settle, wait_ms)
        waiting.add(settle)
      })
    },
  }
}
