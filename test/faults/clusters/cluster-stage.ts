import type { Role } from '../../../process/roles/role.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { startCluster, type Cluster, type ClusterWishes } from '../../support/cluster/start-cluster.ts'

/**
 * A cluster that several chapters use, one after another. Each chapter leaves at least one process of each role, and writes in guilds of
 * its own: what it compares with the history is not what others wrote.
 */
export interface ClusterStage {
  readonly cluster: Cluster
  /** On the stores of the cluster, beside its processes. */
  readonly store: Store
  /** What that store has reported. */
  readonly errors: readonly unknown[]
  /** The URL of the oldest process of a role; of nobody if none runs. */
  urlOf(role: 'api' | 'gateway'): string
  /** Starts processes of a role until so many run. */
  atLeast(role: Role, count: number): Promise<void>
  close(): Promise<void>
}

/** How a chapter reaches the stage, which is open once its tests begin. */
export type OnStage = () => ClusterStage

/** Starts the cluster and opens its stores. */
export async function clusterStage(wishes: ClusterWishes): Promise<ClusterStage> {
  const cluster = await startCluster(wishes)
  const { connection, personalDataKey, eventStore } = cluster
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const eventStoreUrl = eventStore?.url
  const store = await openStore({ connection, personalDataKey, eventStoreUrl, onError }).catch(
    async (error: unknown) => {
      await cluster.close()
      throw error
    },
  )
  return {
    cluster,
    store,
    errors,
    urlOf: (role) => cluster.running(role)[0]?.url ?? 'http://127.0.0.1:1',
    async atLeast(role, count) {
      const missing = Math.max(0, count - cluster.running(role).length)
      await Promise.all(Array.from({ length: missing }, () => cluster.add(role)))
    },
    async close() {
      await store.close()
      await cluster.close()
    },
  }
}

/** What the load and its witness find where every command counted once. */
export const nothingWrong = {
  lost: [],
  repeated: [],
  unexpected: [],
  divergent: [],
  left: 0,
  wrong: { lost: [], repeated: [], reordered: [] },
}
