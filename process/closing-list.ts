/** A list of opened things, which closes them in the opposite order: what others depend on closes last. */
export interface ClosingList {
  add(close: () => Promise<void>): void
  /** Closes everything once, however often it is called. After everything is closed, rejects with the first failure. */
  close(): Promise<void>
}

export function closingList(): ClosingList {
  const closings: (() => Promise<void>)[] = []
  let closed: Promise<void> | undefined
  return {
    add: (close) => {
      closings.push(close)
    },
    close: () => (closed ??= closeAll(closings.toReversed())),
  }
}

async function closeAll(closings: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closings) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
