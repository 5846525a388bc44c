/** Runs the items of one batch at once and gives a result for each, in order. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

export interface BatchBounds {
  /** The most items in one batch. */
  readonly batch_max: number
  /** The most items that wait for the current batch. One more rejects with the error from `overfull`. */
  readonly waiting_max: number
  readonly overfull: () => Error
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Items that arrive while a batch is at work go into the next one together, so there is one wait for the database for each
 * batch. One batch runs at a time. If a batch fails, all its items reject with its error.
 */
export function inBatches<Item, Result>(
  run: RunBatch<Item, Result>,
  { batch_max, waiting_max, overfull }: BatchBounds,
): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = []
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      // Callers answered by the batch before may ask again in the same turn of the event loop: let them join.
      await new Promise(setImmediate)
      await settle(queue.splice(0, batch_max), run)
    }
    running = undefined
  }

  return (item) => {
    if (queue.length >= waiting_max) return Promise.reject(overfull())
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      running ??= runAll()
    })
  }
}

async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: RunBatch<Item, Result>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item))
    if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`)
    for (const [index, result] of results.entries()) batch[index]?.resolve(result)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
