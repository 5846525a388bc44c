/** How long one piece of work keeps the event loop. */
const slice_ms = 5

/** Divides long work, so that other work gets its turn in between. */
export interface Pauses {
  /** Whether the work has lasted long enough since the last pause. */
  isDue(): boolean
  /** Lets other work have its turn. */
  next(): Promise<void>
}

export function pauses(): Pauses {
  let began_ms = performance.now()
  return {
    isDue: () => performance.now() - began_ms >= slice_ms,
    async next() {
      await new Promise((resolve) => setImmediate(resolve))
      began_ms = performance.now()
    },
  }
}
