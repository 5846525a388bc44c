import { settle, type Waiting } from './batches.ts'

export interface SameTurn<Item, Result> {
  /** The most items in one batch. */
  readonly items_max: number
  /** Carries out one item. The usual case keeps the simpler statement. */
  readonly alone: (item: Item) => Promise<Result>
  /** Carries out several items. Gives their results in the order of the items. */
  readonly together: (items: readonly Item[]) => Promise<readonly Result[]>
}

/**
 * Carries out together what is asked for in the same turn of the event loop, by any number of callers, so that they wait once. Each
 * is answered for itself; if a batch fails, all of its items do. Batches wait for nothing and run side by side.
 */
export function inSameTurn<Item, Result>({
  items_max,
  alone,
  together,
}: SameTurn<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []

  function run(batch: readonly Waiting<Item, Result>[]): void {
    const [first, ...others] = batch
    if (!first) return
    if (others.length === 0) void alone(first.item).then(first.resolve, first.reject)
    else void settle(batch, together)
  }

  function runAll(): void {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += items_max) run(all.slice(from, from + items_max))
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(runAll)
      waiting.push({ item, resolve, reject })
    })
}
