import { copyCluster } from './laid-cluster.ts'
import { askGlobalSetup, isTestRun, laidProductPath } from './test-database.ts'

/**
 * Puts a Postgres with every table of the product into a folder that does not exist yet, for a product or a test that runs its
 * own Postgres there. A start that makes the cluster and the tables itself takes 1.5 s more of the processor. Does nothing outside
 * of a test run (in `bench/`), where a start makes them.
 */
export async function layPostgres(folder: string): Promise<void> {
  if (isTestRun()) await copyCluster((await askGlobalSetup(laidProductPath)) as string, folder)
}
