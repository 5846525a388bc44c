import { afterAll, beforeAll, describe, vi } from 'vitest'
import { isLong } from '../../support/fault-table.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { eventStoreInTrouble } from './event-store-in-trouble.ts'
import { natsInTrouble } from './nats-in-trouble.ts'
import { networkStage, printedSeed, type NetworkStage } from './network-stage.ts'
import { postgresInTrouble } from './postgres-in-trouble.ts'

vi.setConfig({ testTimeout: isLong ? 900_000 : 600_000 })

describe.skipIf(natsIsMissing)(natsSuite('The servers of one process, each in trouble'), () => {
  const seed = printedSeed('Servers in trouble')
  let stage: NetworkStage
  const on = (): NetworkStage => stage

  beforeAll(async () => {
    stage = await networkStage(seed)
  })
  afterAll(() => stage.close())

  natsInTrouble(on)
  eventStoreInTrouble(on, seed)
  postgresInTrouble(on, seed)
})
