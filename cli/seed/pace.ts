/**
 * Does something for each item, at most `atOnce` side by side. Rejects with the first failure, once all that was begun is over;
 * nothing more is begun after it, nor after `signal` aborts.
 */
export async function eachOf<Item>(
  items: readonly Item[],
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  let failed = false
  async function work(): Promise<void> {
    for (const item of left) {
      if (failed || signal.aborted) return
      try {
        await act(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, work))
  const lost = workers.find((worker) => worker.status === 'rejected')
  if (lost) throw lost.reason
  signal.throwIfAborted()
}
