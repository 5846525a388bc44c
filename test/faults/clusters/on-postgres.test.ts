import { afterAll, beforeAll, describe } from 'vitest'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { laidDatabase } from '../../support/test-database.ts'
import { printedSeed } from '../network/network-stage.ts'
import { clusterStage, type ClusterStage } from './cluster-stage.ts'
import { deletesRacingCreations } from './deletes-racing-creations.ts'
import { gatewayGone } from './gateway-gone.ts'
import { lockHolders } from './lock-holders.ts'
import { severalOfARole } from './several-of-a-role.ts'

describe.skipIf(natsIsMissing !== undefined)(natsSuite('A cluster with its events in Postgres'), () => {
  const seed = printedSeed('A cluster with its events in Postgres')
  let stage: ClusterStage
  const on = (): ClusterStage => stage

  beforeAll(async () => {
    const counts = { apis: 2, gateways: 2, projectors: 2, workers: 2 }
    stage = await clusterStage({ ...counts, eventStore: 'postgres', database: laidDatabase, gates: true })
  })
  afterAll(() => stage.close(), 60_000)

  severalOfARole(on, seed)
  lockHolders(on, seed)
  gatewayGone(on)
  deletesRacingCreations(on, seed, 'api')
})
