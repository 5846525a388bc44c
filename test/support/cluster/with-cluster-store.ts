import { openStore, type Store } from '../../../process/store.ts'
import type { ClusterServers } from './start-cluster.ts'

/** Runs a task on the store of a cluster, beside its processes. Rejects if the store reported errors. */
export async function withClusterStore<Result>(
  { connection, personalDataKey, eventStore }: ClusterServers,
  task: (store: Store) => Promise<Result>,
): Promise<Result> {
  const errors: unknown[] = []
  const store = await openStore({
    connection,
    personalDataKey,
    eventStoreUrl: eventStore?.url,
    onError: (error) => errors.push(error),
  })
  try {
    const result = await task(store)
    if (errors.length > 0) throw new AggregateError(errors, 'The store met errors')
    return result
  } finally {
    await store.close()
  }
}
