const firstPause_ms = 500
const longestPause_ms = 15_000
const listeners = new Set<(isLost: boolean) => void>()

/** Whether the server can be reached. */
export const connection = {
  /** Tells of each change; gives what ends that. */
  listen(tell: (isLost: boolean) => void): () => void {
    listeners.add(tell)
    return () => listeners.delete(tell)
  },

  /** Does something until it reaches the server. The pauses grow, and end as soon as the browser says that it is online again. */
  async keep<Value>(attempt: () => Promise<Value>): Promise<Value> {
    for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(pause_ms * 2, longestPause_ms)) {
      try {
        const value = await attempt()
        tellAll(false)
        return value
      } catch (error) {
        // fetch rejects with it where nothing answers.
        if (!(error instanceof TypeError)) throw error
        tellAll(true)
        await pauseOf(pause_ms)
      }
    }
  },
}

function tellAll(isLost: boolean): void {
  for (const tell of listeners) tell(isLost)
}

function pauseOf(pause_ms: number): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer)
      globalThis.removeEventListener('online', goOn)
      resolve()
    }
    const timer = setTimeout(goOn, pause_ms)
    globalThis.addEventListener('online', goOn)
  })
}
