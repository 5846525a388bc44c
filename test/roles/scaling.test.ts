import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Client } from '../gateway/support/client.js'
import { factsOf } from '../faults/history-facts.js'
import { compareWithHistory } from '../faults/ledger-checks.js'
import { divergentRows, finishedSteps, wholeHistory } from '../faults/store-checks.js'
import { clusterLoad } from '../support/cluster/cluster-load.js'
import { startCluster, type Cluster } from '../support/cluster/start-cluster.js'
import { withClusterStore } from '../support/cluster/with-cluster-store.js'
import { listenAt, newWitness, openSession, type Witness } from '../support/cluster/witness.js'
import { acceptInvite, call, createInvite, register, type ApiRequest, type Person } from '../support/load-api.js'
import { chance, faultsSeed } from '../support/load-random.js'
import { natsIsMissing, natsSuite } from '../support/nats-server.js'
import { laidDatabase } from '../support/test-database.js'

const clients = 4
const answeredBetween = 40
const finished_ms_max = 30_000
const seed = faultsSeed()

describe.skipIf(natsIsMissing !== undefined)(natsSuite('several processes of a role'), () => {
  let cluster: Cluster
  let ada: Witness
  let bea: Person
  let stop = (): Promise<void> => Promise.resolve()

  beforeAll(async () => {
    process.stdout.write(`several processes of a role: FAULTS_SEED=${seed}\n`)
    // The events are in Postgres: the other tests of the distributed setup have them in EventStoreDB.
    cluster = await startCluster({
      apis: 1,
      gateways: 2,
      projectors: 1,
      workers: 2,
      eventStore: 'postgres',
      database: laidDatabase,
    })
    stop = () => cluster.close()
    ada = await newWitness(apiUrl, 'ada')
    bea = await call(apiUrl(), register('bea'))
  })
  afterAll(() => stop(), 60_000)

  const apiUrl = (): string => cluster.running('api')[0]?.url ?? ''
  const gatewayUrl = (index: number): string => cluster.running('gateway')[index]?.url ?? ''

  describe('two Gateways', () => {
    let sessions: readonly Client[] = []
    afterAll(() => {
      for (const session of sessions) session.close()
    })

    it('send their clients the same', async () => {
      const [atFirst, atSecond] = [await listenAt(gatewayUrl(0), ada), await openSession(gatewayUrl(1), bea)]
      sessions = [atFirst, atSecond]
      const { code } = await call(
        apiUrl(),
        createInvite(ada.owner, ada.guild.textChannel, { max_uses: 0, max_age: 7200 }),
      )
      await call(apiUrl(), acceptInvite(bea, code))
      expect((await atFirst.dispatch('GUILD_MEMBER_ADD')).d).toMatchObject({ user: { id: bea.id } })
      expect((await atSecond.dispatch('GUILD_CREATE')).d['id']).toBe(ada.guild.id)
      await expect
        .poll(() => call(apiUrl(), onlineCount(code)), {
          message: 'who is present at either',
        })
        .toBe(2)
    })
  })

  it('come and go while clients write, and no acknowledged write is lost', async () => {
    const load = clusterLoad(cluster)
    load.start(clients, chance(seed))
    await load.answered(answeredBetween)
    // Up to three processes, down to one, and up again; a worker is killed in between.
    await cluster.add('api')
    await cluster.add('api')
    await load.answered(answeredBetween)
    await cluster.running('worker')[0]?.kill('SIGKILL')
    for (const api of cluster.running('api').slice(0, 2)) {
      // Resolves only for exit code 0.
      await api.stop()
      await load.answered(answeredBetween)
    }
    expect(cluster.running('api')).toHaveLength(1)
    await cluster.add('api')
    await load.answered(answeredBetween)
    await load.pause()
    await withClusterStore(cluster, async (store) => {
      const { left } = await finishedSteps(store, finished_ms_max)
      const findings = compareWithHistory(load.traffic.ledger.entries, factsOf(await wholeHistory(store)))
      expect({ ...findings, left, divergent: await divergentRows(store) }).toEqual({
        lost: [],
        repeated: [],
        unexpected: [],
        left: 0,
        divergent: [],
      })
    })
    await load.end()
  }, 240_000)
})

const counted = z.object({ presence_count: z.int() })

function onlineCount(code: string): ApiRequest<number> {
  return { method: 'GET', path: `/v1/invites/${code}`, parse: (body) => counted.parse(body).presence_count }
}
