import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { turnLife_ms } from '../../adapters/http/idempotency/idempotency-rows.js'
import { requestLife_ms } from '../../cli/process-managers.js'
import type { Client } from '../gateway/support/client.js'
import { clusterLoad, type ClusterLoad } from '../support/cluster/cluster-load.js'
import { startCluster, type Cluster } from '../support/cluster/start-cluster.js'
import { withClusterStore } from '../support/cluster/with-cluster-store.js'
import {
  happened,
  heard,
  keepWriting,
  listenAt,
  misheard,
  newWitness,
  type Witness,
} from '../support/cluster/witness.js'
import { isLong, noteFault } from '../support/fault-table.js'
import { chance, faultsSeed } from '../support/load-random.js'
import { natsIsMissing, natsSuite } from '../support/nats-server.js'
import { laidDatabase } from '../support/test-database.js'
import { factsOf } from './history-facts.js'
import { compareWithHistory } from './ledger-checks.js'
import { divergentRows, finishedSteps, wholeHistory } from './store-checks.js'

const kills = isLong ? 500 : 8
const apis = 3
/** Until only this many run: whoever asked a killed one finds another. */
const apis_min = 1
const clients = 6
/** Before each kill so many commands are answered. */
const answered = { min: 2, max: 40 }
/** And then a moment passes: each kill has its own stretch of it, so that a few strike commands at points that differ. */
const moment_ms_max = 40
/** The turn of a request that was killed is over after `turnLife_ms`; who repeats it is answered then. */
const silence_ms_max = turnLife_ms + 5000
/**
 * Half of what a killed process did is finished by the client that repeats it. What a client has given up waits for a worker,
 * which leaves it alone for as long as a request may live (`requestLife_ms`): clients give up in the long run alone.
 */
const finished_ms_max = isLong ? requestLife_ms + 60_000 : 30_000

describe.skipIf(natsIsMissing !== undefined)(natsSuite('F1: an API process killed in the middle of commands'), () => {
  const seed = faultsSeed()
  const random = chance(seed)
  let cluster: Cluster
  let load: ClusterLoad
  let witness: Witness
  let session: Client
  let stop = (): Promise<void> => Promise.resolve()

  beforeAll(async () => {
    process.stdout.write(`F1: FAULTS_SEED=${seed}\n`)
    cluster = await startCluster({
      apis,
      gateways: 1,
      projectors: 1,
      workers: 1,
      eventStore: 'eventstoredb',
      database: laidDatabase,
    })
    stop = () => cluster.close()
    load = clusterLoad(cluster, { patient: !isLong })
    const url = await load.traffic.url()
    witness = await newWitness(() => url, 'witness')
    const [gateway] = cluster.running('gateway')
    session = await listenAt(gateway?.url ?? '', witness)
  })

  afterAll(() => stop(), 60_000)

  /** Kills one under load. What it left unanswered is answered by others before new processes start, side by side. */
  async function killOne(kill: number): Promise<void> {
    load.gate.open()
    await load.answered(random.between(answered.min, answered.max))
    await sleep(((kill + random.next()) / kills) * moment_ms_max)
    await random.pick(cluster.running('api'))?.kill('SIGKILL')
    await load.pause()
    const left = cluster.running('api').length
    if (left > apis_min || kill === kills - 1) return
    await Promise.all(Array.from({ length: apis - left }, () => cluster.add('api')))
  }

  it(
    'runs each command exactly once: clients repeat it with the same Idempotency-Key at another process',
    async () => {
      load.start(clients, random)
      load.add(keepWriting(witness, load.traffic, 0))
      for (let kill = 0; kill < kills; kill += 1) await killOne(kill)
      const { entries } = load.traffic.ledger
      const retried = entries.filter(({ attempts }) => attempts > 1).length
      await withClusterStore(cluster, async (store) => {
        const { ms: finished_ms, left } = await finishedSteps(store, finished_ms_max)
        const events = await wholeHistory(store)
        const { lost, repeated, unexpected } = compareWithHistory(entries, factsOf(events))
        const divergent = await divergentRows(store)
        const facts = happened(witness, events)
        await expect.poll(() => heard([session]).length).toBeGreaterThanOrEqual(facts.length)
        const wrong = misheard(heard([session]), facts)
        noteFault('F1', {
          title: 'API process killed in mid-command',
          runs: kills,
          lost: lost.length + wrong.lost.length,
          repeated: repeated.length + wrong.repeated.length,
          reordered: wrong.reordered.length,
          divergent: divergent.length,
          stuck_s: load.silence_ms / 1000,
          note: `${entries.length} commands, ${retried} sent again; last step finished after ${Math.round(finished_ms)} ms`,
        })
        expect({ seed, lost, repeated, unexpected, divergent, left, wrong }).toEqual({
          seed,
          lost: [],
          repeated: [],
          unexpected: [],
          divergent: [],
          left: 0,
          wrong: { lost: [], repeated: [], reordered: [] },
        })
        expect(retried, 'commands that a kill struck').toBeGreaterThan(0)
        expect(load.silence_ms, 'the longest time without an answer').toBeLessThan(silence_ms_max)
      })
      await load.end()
    },
    isLong ? 60 * 60_000 : 10 * 60_000,
  )
})
