/**
 * Runs a task for each item, at most `atOnce` in parallel. Rejects with the first failure, once all started tasks are over.
 * Starts no more after a failure, or after `signal` aborts.
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
