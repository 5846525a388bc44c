import { copyCluster } from './laid-cluster.js'
import { askGlobalSetup, laidProductPath } from './test-database.js'

/**
 * Puts a Postgres with every table of the product into a folder that does not exist yet, for a product or a test that runs its
 * own Postgres there. A start that makes the cluster and the tables itself takes 1.5 s more of the processor.
 */
export async function layPostgres(folder: string): Promise<void> {
  await copyCluster((await askGlobalSetup(laidProductPath)) as string, folder)
}
