import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endings, makings, type MoveName } from '../folding/moves.ts'
import { newRound, type Arena, type Step } from '../folding/round.ts'
import { startCluster, type Cluster } from '../support/cluster/start-cluster.ts'
import { withClusterStore } from '../support/cluster/with-cluster-store.ts'
import { isLong, noteFault } from '../support/fault-table.ts'
import { call, password, register } from '../support/load-api.ts'
import { chance, faultsSeed, type Chance } from '../support/load-random.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { laidDatabase } from '../support/test-database.ts'
import { requestsTo, type TestAnswer } from '../support/test-guildhall.ts'
import { divergentRows } from './store-checks.ts'

const quietRounds = isLong ? 60 : 2
/** Rounds in which a process is killed during the moves. */
const deadlyRounds = isLong ? 60 : 2
const apart_ms_max = 8
const moment_ms_max = 40
const orphans = `select count(*)::int4 as count from threads.threads t
  where not exists (select from guilds.channels c where c.id = t.parent_id)`
const countRow = z.object({ count: z.int() })

const endingNames = Object.keys(endings) as MoveName[]
const makingNames = Object.keys(makings) as MoveName[]

describe.skipIf(natsIsMissing !== undefined)(natsSuite('F34: deletes that race creations below them'), () => {
  const seed = faultsSeed()
  const random = chance(seed)
  let cluster: Cluster
  let arena: Arena
  let stop = (): Promise<void> => Promise.resolve()

  beforeAll(async () => {
    process.stdout.write(`F34: FAULTS_SEED=${seed}\n`)
    const eventStore = random.pick(['eventstoredb', 'postgres'] as const) ?? 'eventstoredb'
    const counts = { apis: 2, gateways: 1, projectors: 1, workers: 1 }
    cluster = await startCluster({ ...counts, eventStore, database: laidDatabase })
    stop = () => cluster.close()
    arena = arenaOf(cluster)
  })
  afterAll(() => stop(), 60_000)

  /** Returns what sessions have permanently wrong after one round, in which a process may be killed. */
  async function wrongAfter(dies: 'api' | 'worker' | undefined): Promise<readonly string[]> {
    const round = await newRound(arena)
    try {
      const steps = stepsBy(random)
      const played = round.play(steps)
      if (dies !== undefined) {
        await sleep(random.between(0, moment_ms_max))
        await random.pick(cluster.running(dies))?.kill('SIGKILL')
        await cluster.add(dies)
      }
      const statuses = await played
      if (dies === undefined) expect(statuses.filter((status) => status >= 500)).toStrictEqual([])
      const differences = await round.differences()
      const made = steps.map(({ move, after_ms }) => `${move} at ${after_ms}`).join(', ')
      return differences.map((difference) => `${difference}, after ${made}`)
    } finally {
      round.end()
    }
  }

  it('leave sessions with the same state as a new READY and HTTP, even if a process is killed in between', async () => {
    const began = performance.now()
    const wrong: string[] = []
    for (let round = 0; round < quietRounds; round += 1) wrong.push(...(await wrongAfter(undefined)))
    for (let round = 0; round < deadlyRounds; round += 1)
      wrong.push(...(await wrongAfter(round % 2 === 0 ? 'api' : 'worker')))
    await withClusterStore(cluster, async (store) => {
      const orphanCount = async (): Promise<number> =>
        countRow.parse((await store.database.pool.query(orphans)).rows[0]).count
      await expect.poll(orphanCount).toBe(0)
      const divergent = await divergentRows(store)
      noteFault('F34', {
        title: 'Deletes racing creations',
        runs: quietRounds + deadlyRounds,
        lost: wrong.filter((difference) => difference.includes('was not told')).length,
        repeated: 0,
        reordered: wrong.filter((difference) => !difference.includes('was not told')).length,
        divergent: divergent.length,
        stuck_s: 0,
        note: `${deadlyRounds} with a death; ${Math.round((performance.now() - began) / 1000)} s in all`,
      })
      expect({ seed, wrong, divergent }).toStrictEqual({ seed, wrong: [], divergent: [] })
    })
  }, 3_600_000)
})

/** Some moves of both kinds at almost the same moment. */
function stepsBy(random: Chance): readonly Step[] {
  const steps = (names: readonly MoveName[], count: number): readonly Step[] =>
    Array.from({ length: count }, () => ({
      move: random.pick(names) ?? 'delete channel',
      after_ms: random.between(0, apart_ms_max),
    }))
  return [...steps(endingNames, random.between(1, 3)), ...steps(makingNames, random.between(3, 8))]
}

/** Requests go to the API processes in turn. Those that a kill interrupts have no answer. */
function arenaOf(cluster: Cluster): Arena {
  let turn = 0
  const urlOf = (): string => {
    const apis = cluster.running('api')
    return apis[(turn += 1) % apis.length]?.url ?? ''
  }
  const struck: TestAnswer = { status: 599, headers: new Headers(), body: undefined }
  return {
    request: (method, path, options) => requestsTo(urlOf())(method, path, options).catch(() => struck),
    gatewayUrl: () => (cluster.running('gateway')[0]?.url ?? '').replace('http', 'ws'),
    register: async () => ({
      ...(await call(urlOf(), register(`u${randomUUID().slice(0, 12).replace('-', '')}`))),
      password,
    }),
  }
}
