import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { startEmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import type { ClusterDatabase } from '../../support/cluster/start-cluster.ts'
import { layPostgres } from '../../support/lay-postgres.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { printedSeed } from '../network/network-stage.ts'
import { apiKilled } from './api-killed.ts'
import { clusterStage, type ClusterStage } from './cluster-stage.ts'
import { deletesRacingCreations } from './deletes-racing-creations.ts'
import { endedAfterAFault } from './ended-after-a-fault.ts'
import { projectorsHandOver } from './projectors-hand-over.ts'
import { publisherKilled } from './publisher-killed.ts'
import { rolesStopped } from './roles-stopped.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('A cluster with its events in EventStoreDB'), () => {
  const seed = printedSeed('A cluster with its events in EventStoreDB')
  const home = mkdtempSync(path.join(os.tmpdir(), 'gh-cluster-'))
  const folder = path.join(home, 'postgres')
  let stage: ClusterStage
  const on = (): ClusterStage => stage

  /** A Postgres of its own, which a chapter lets hang. */
  async function ownDatabase(): Promise<ClusterDatabase> {
    await layPostgres(folder)
    const settings = { max_connections: '500', fsync: 'off' }
    const { connection, stop } = await startEmbeddedPostgres({ folder, settings })
    return { connection, close: stop }
  }

  beforeAll(async () => {
    // Every user may enter the folder, since Postgres never runs as root.
    chmodSync(home, 0o755)
    const counts = { apis: 3, gateways: 1, projectors: 1, workers: 1 }
    stage = await clusterStage({ ...counts, eventStore: 'eventstoredb', database: ownDatabase })
  })
  afterAll(async () => {
    await stage.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 20 })
  }, 60_000)

  apiKilled(on, seed)
  rolesStopped(on, seed)
  publisherKilled(on, seed)
  projectorsHandOver(on)
  deletesRacingCreations(on, seed, 'worker')
  endedAfterAFault(on, folder)
})
