import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endings, makings, type MoveName } from '../../folding/moves.ts'
import { newRound, type Arena, type Step } from '../../folding/round.ts'
import type { Cluster } from '../../support/cluster/start-cluster.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, password, register } from '../../support/load-api.ts'
import { chance, type Chance } from '../../support/load-random.ts'
import { requestsTo, type TestAnswer } from '../../support/test-guildhall.ts'
import { divergentRows } from '../store-checks.ts'
import type { OnStage } from './cluster-stage.ts'

const quietRounds = isLong ? 30 : 1
/** Rounds in which a process is killed during the moves. */
const deadlyRounds = isLong ? 30 : 1
const apart_ms_max = 8
const moment_ms_max = 40
const orphans = `select count(*)::int4 as count from threads.threads t
  where not exists (select from guilds.channels c where c.id = t.parent_id)`
const countRow = z.object({ count: z.int() })

const endingNames = Object.keys(endings) as MoveName[]
const makingNames = Object.keys(makings) as MoveName[]

/** In the deadly rounds, a process of the role `dies`. */
export function deletesRacingCreations(on: OnStage, seed: number, dies: 'api' | 'worker'): void {
  describe('F34: deletes that race creations below them', () => {
    const random = chance(seed)
    let arena: Arena

    beforeAll(async () => {
      await on().atLeast('api', 2)
      arena = arenaOf(on().cluster)
    })

    /** Returns what sessions have permanently wrong after one round, in which a process may be killed. */
    async function wrongAfter(victim: 'api' | 'worker' | undefined): Promise<readonly string[]> {
      const round = await newRound(arena)
      try {
        const steps = stepsBy(random)
        const played = round.play(steps)
        if (victim !== undefined) {
          await sleep(random.between(0, moment_ms_max))
          await random.pick(on().cluster.running(victim))?.kill('SIGKILL')
          await on().cluster.add(victim)
        }
        const statuses = await played
        if (victim === undefined) expect(statuses.filter((status) => status >= 500)).toStrictEqual([])
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
      for (let round = 0; round < deadlyRounds; round += 1) wrong.push(...(await wrongAfter(dies)))
      const { store, errors } = on()
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
      expect(errors).toEqual([])
    }, 3_600_000)
  })
}

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
