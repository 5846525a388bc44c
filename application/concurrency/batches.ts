/** Runs the items of one batch at once. Gives for each, in their order, its result, or an error that rejects it alone. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>

/** Says of one waiting item after the other whether it goes into the batch too. The first one goes in whatever it says. */
export type Fits<Item> = (item: Item) => boolean

export interface BatchSettings<Item, Result> {
  readonly run: RunBatch<Item, Result>
  /** Begins a batch, which ends before the first item that does not fit. */
  readonly begin: () => Fits<Item>
  /** The error for an item that may not wait, where so much waits already; else undefined. Here is what bounds the queue. */
  readonly refusal: (queued: Queued) => Error | undefined
  /** What the queue is bounded by besides the number of items; by default each counts for nothing. */
  readonly sizeOf?: (item: Item) => number
}

/** What waits for the next batch. */
export interface Queued {
  readonly items: number
  readonly size: number
}

export interface Batches<Item, Result> {
  /** Resolves with the item's result. Rejects where it may not wait, where it has an error, and where its batch fails as a whole. */
  add(item: Item): Promise<Result>
  /** Resolves once all that were added are answered. */
  settled(): Promise<void>
}

/** Somebody who waits for the result of an item. */
export interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Items that arrive while a batch is at work go together into the next one, so that a disk or a database is waited for once a
 * batch. One batch at a time, items in the order of their arrival.
 */
export function inBatches<Item, Result>({
  run,
  begin,
  refusal,
  sizeOf = () => 0,
}: BatchSettings<Item, Result>): Batches<Item, Result> {
  const queue: Waiting<Item, Result>[] = []
  let size = 0
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    while (queue.length > 0) {
      // Whoever was answered by the batch before may ask again in the same turn of the event loop: let them join.
      await new Promise(setImmediate)
      const batch = queue.splice(0, batchLength(queue, begin()))
      for (const { item } of batch) size -= sizeOf(item)
      await settle(batch, run)
    }
    running = undefined
  }

  return {
    add(item) {
      const refused = refusal({ items: queue.length, size })
      if (refused) return Promise.reject(refused)
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        size += sizeOf(item)
        running ??= runAll()
      })
    },
    async settled() {
      await running
    },
  }
}

/** A batch of so many items at most, whatever they are. */
export function atMost(items_max: number): () => Fits<unknown> {
  return () => {
    let count = 0
    return () => (count += 1) <= items_max
  }
}

function batchLength<Item>(queue: readonly { readonly item: Item }[], fits: Fits<Item>): number {
  const end = queue.findIndex(({ item }, index) => !fits(item) && index > 0)
  return end === -1 ? queue.length : end
}

/** Runs the waiting items at once, and answers each. */
export async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: RunBatch<Item, Result>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item))
    if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`)
    for (const [index, result] of results.entries()) {
      if (result instanceof Error) batch[index]?.reject(result)
      else batch[index]?.resolve(result)
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
