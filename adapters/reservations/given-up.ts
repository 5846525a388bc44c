/** Ended reservations that the table does not know about yet. */
export interface GivenUp {
  /**
   * Records an ended reservation, and updates the table soon. Never fails: if that is impossible, the reservation lapses in
   * time.
   */
  add(id: string): void
  /** Resolves once the table knows all, or one more try has failed. Accepts no more. */
  close(): Promise<void>
}

export interface GivenUpSettings {
  readonly giveUp: (ids: readonly string[]) => Promise<void>
  /** Called after each update of the table. */
  readonly onTold: () => void
  /** Called for each try that failed. The next one follows by itself. */
  readonly onError: (error: unknown) => void
}

const batch_max = 1000
/** How many are remembered while Postgres can't be reached. The oldest beyond that are left to lapse. */
const untold_max = 10_000
const retry_ms = { min: 250, max: 5000 }

/** Updates the table for several at once: those that arrive during an update, and those whose update failed. */
export function givenUp({ giveUp, onTold, onError }: GivenUpSettings): GivenUp {
  const untold: string[] = []
  let announcing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let pause_ms = retry_ms.min
  let isClosed = false

  async function tellAll(): Promise<void> {
    while (untold.length > 0 && !retry) {
      // Reservations that end in the same turn of the event loop go along.
      await new Promise(setImmediate)
      await tellSome(untold.splice(0, batch_max))
    }
    announcing = undefined
  }

  async function tellSome(batch: readonly string[]): Promise<void> {
    try {
      await giveUp(batch)
      pause_ms = retry_ms.min
      onTold()
    } catch (error) {
      untold.unshift(...batch)
      onError(error)
      tryLater()
    }
  }

  function tryLater(): void {
    retry = setTimeout(() => {
      retry = undefined
      tell()
    }, pause_ms).unref()
    pause_ms = Math.min(pause_ms * 2, retry_ms.max)
  }

  function tell(): void {
    if (!retry) announcing ??= tellAll()
  }

  return {
    add(id) {
      if (isClosed) return
      untold.push(id)
      if (untold.length > untold_max) untold.shift()
      tell()
    },
    async close() {
      isClosed = true
      await announcing
      clearTimeout(retry)
      retry = undefined
      await tellAll()
      clearTimeout(retry)
    },
  }
}
