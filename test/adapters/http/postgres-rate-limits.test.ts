import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  openPostgresRateLimits,
  type PostgresRateLimits,
  type PostgresRateLimitsSettings,
} from '../../../adapters/http/limits/postgres-rate-limits.ts'
import { openDatabase, type PostgresConnection } from '../../../adapters/postgres/database.ts'
import type { Rate } from '../../../application/ports/allowances.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { paced } from '../../support/pace.ts'
import { startPostgresGate } from '../../support/postgres-gate.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'
import { clock, times } from './limits-support.ts'
import { afterThisTest } from './support.ts'

let postgres: TestDatabase
beforeEach(async () => {
  const opened = await migratedDatabase()
  postgres = opened
  afterThisTest(() => opened.close())
})

/** Rate limits with connections of their own, as another process has them. */
async function processOn(
  connection: PostgresConnection,
  {
    answer_ms_max = 10_000,
    ...settings
  }: Partial<PostgresRateLimitsSettings> & { readonly answer_ms_max?: number } = {},
) {
  const database = openDatabase(connection, { connections_max: 2, answer_ms_max })
  const limits = openPostgresRateLimits({ database, ...settings })
  afterThisTest(async () => {
    await limits.close()
    await database.close()
  })
  return limits
}

async function rowCount(): Promise<number> {
  return (await postgres.database.pool.query('select from rate_limits.buckets')).rows.length
}

/** Has four processes play five drawn rounds. The name of a round keeps its buckets apart. */
async function eachRound<Given>(
  drawn: fc.Arbitrary<Given>,
  play: (given: Given, round: string, processes: readonly PostgresRateLimits[]) => Promise<void>,
): Promise<void> {
  const processes = await Promise.all(times(4, () => processOn(postgres.connection)))
  let round = 0
  const property = fc.asyncProperty(drawn, (given) => play(given, `round ${(round += 1)}`, processes))
  await fc.assert(property, { numRuns: 5 })
}

const hour = (requests: number): Rate => ({ requests, seconds: 3600 })

describe('rate limits of several processes', () => {
  it('admit together exactly as many as one would, in a race of 64', async () => {
    const [one, other] = await Promise.all([processOn(postgres.connection), processOn(postgres.connection)])
    for (const requests of [1, 20, 63]) {
      const verdicts = await Promise.all(
        times(64, (index) => (index % 2 === 0 ? one : other).take(`race for ${requests}`, hour(requests))),
      )
      expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(requests)
    }
  })
  it('never wait for each other in a circle, in whatever order each is asked, and stay exact', async () => {
    const orders = fc.array(
      fc.shuffledSubarray(
        times(12, (index) => `key ${index}`),
        { minLength: 12 },
      ),
      {
        minLength: 60,
        maxLength: 60,
      },
    )
    await eachRound(orders, async (given, round, processes) => {
      const admitted = new Map<string, number>()
      await Promise.all(
        given.map(async (order, index) => {
          for (const key of order) {
            const verdict = await processes[index % 4]?.take(`${round} ${key}`, hour(25))
            if (verdict?.admitted) admitted.set(key, (admitted.get(key) ?? 0) + 1)
          }
        }),
      )
      expect([...admitted.values()]).toEqual(times(12, () => 25))
    })
  })
  it('let to second buckets together exactly as many as the first ones admit, in whatever order each is asked', async () => {
    const keys = times(12, (index) => `key ${index}`)
    const chosen = fc.array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...keys)), {
      minLength: 400,
      maxLength: 400,
    })
    await eachRound(chosen, async (pairs, round, processes) => {
      const asked = pairs.map(([first, second]) => ({
        first: { key: `first ${first} of ${round}`, rate: hour(20) },
        second: { key: `second ${second} of ${round}`, rate: hour(15) },
      }))
      const verdicts = await Promise.all(
        asked.map(async ({ first, second }, index) => processes[index % 4]?.takeBoth(first, second)),
      )
      const admitted = new Map<string, number>()
      const came = new Map<string, number>()
      const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
      for (const [index, { first, second }] of asked.entries()) {
        const both = verdicts[index]
        count(came, first.key)
        if (both?.first.admitted) count(admitted, first.key)
        if (both?.second) count(came, second.key)
        if (both?.second?.admitted) count(admitted, second.key)
        expect(both?.second === undefined).toBe(both?.first.admitted === false)
      }
      for (const [key, asks] of came)
        expect({ key, admitted: admitted.get(key) }).toEqual({
          key,
          admitted: Math.min(asks, key.startsWith('first') ? 20 : 15),
        })
    })
  })
  it('stay exact while full buckets are removed and come again', async () => {
    const ms = clock()
    const settings = { now: ms.now, sweepEvery_ms: 1 }
    const processes = await Promise.all(times(3, () => processOn(postgres.connection, settings)))
    for (let round = 0; round < 25; round += 1) {
      ms.pass(2000)
      const verdicts = await Promise.all(
        processes.flatMap((limits) =>
          times(10, (index) => limits.take(`key ${index % 2}`, { requests: 5, seconds: 2 })),
        ),
      )
      expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(10)
    }
  })
  it('can be opened for the first time by several at once', async () => {
    const processes = await Promise.all(times(6, () => processOn(postgres.connection)))
    const verdicts = await Promise.all(processes.map((limits) => limits.take('key', hour(4))))
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(4)
  })
  it('keep nothing that could be read, and little however long a key is', async () => {
    const limits = await processOn(postgres.connection)
    await limits.take(`canary ${'x'.repeat(1_000_000)}`, hour(1))
    const { rows } = await postgres.database.pool.query<{ text: string }>(
      'select row_to_json(b)::text as text from rate_limits.buckets b',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toContain('canary')
    expect(rows[0]?.text.length).toBeLessThan(300)
  })
})

describe('the table of shared buckets', () => {
  const rate = { requests: 3, seconds: 3 }
  it('loses a bucket once it is full again, and not before', async () => {
    const ms = clock()
    const limits = await processOn(postgres.connection, { now: ms.now, sweepEvery_ms: 5 })
    await Promise.all(times(10, (index) => limits.take(`key ${index}`, rate)))
    await limits.take('slow', hour(1))
    await limits.take('quick', { requests: 1, seconds: 0.999 })
    ms.pass(999)
    await limits.take('fresh', rate)
    await expect.poll(rowCount).toBe(12)
    ms.pass(1)
    await expect.poll(rowCount).toBe(2)
  })
  it('is bounded, and forgets no offender for the sake of new keys', async () => {
    const ms = clock()
    const limits = await processOn(postgres.connection, { now: ms.now, buckets_max: 100 })
    for (let count = 0; count < 4; count += 1) await limits.take('offender', hour(3))
    let rows_max = 0
    for (let count = 0; count < 500; count += 5) {
      await Promise.all(times(5, (index) => limits.take(`new ${count + index}`, rate)))
      rows_max = Math.max(rows_max, await rowCount())
    }
    expect(rows_max).toBeGreaterThan(80)
    expect(rows_max).toBeLessThanOrEqual(105)
    expect((await limits.take('offender', hour(3))).admitted).toBe(false)
  })
  it('refuses a new key where all are offenders, until one has something to give', async () => {
    const ms = clock()
    const limits = await processOn(postgres.connection, { now: ms.now, buckets_max: 2 })
    await Promise.all(['a', 'b', 'a', 'b', 'a', 'b'].map((key) => limits.take(key, rate)))
    expect(await limits.take('c', rate)).toEqual({
      admitted: false,
      remaining: 0,
      retryAfter_ms: 1000,
      fullAfter_ms: 1000,
    })
    expect((await limits.take('a', rate)).admitted).toBe(false)
    expect(await rowCount()).toBe(2)
    ms.pass(1000)
    await expect.poll(async () => (await limits.take('c', rate)).admitted).toBe(true)
  })
  it('goes on after a clock that is set back, and gives nothing away for it', async () => {
    const ms = clock()
    ms.pass(10_000_000)
    const limits = await processOn(postgres.connection, { now: ms.now })
    const take = () => limits.take('key', rate)
    await Promise.all(times(3, take))
    ms.pass(-3_600_000)
    expect((await take()).admitted).toBe(false)
    ms.pass(1000)
    expect((await take()).admitted).toBe(true)
    expect((await take()).admitted).toBe(false)
  })
})

describe('rate limits whose Postgres is lost', () => {
  it('are unavailable, and go on from what was taken once it is back', async () => {
    const gate = await startPostgresGate(postgres.connection)
    afterThisTest(() => gate.close())
    const limits = await processOn(gate.connection)
    await limits.take('key', hour(2))
    await gate.shut()
    await expect(limits.take('key', hour(2))).rejects.toBeInstanceOf(Unavailable)
    await expect(limits.look('key', hour(2))).rejects.toBeInstanceOf(Unavailable)
    await gate.open()
    const verdicts = [await limits.take('key', hour(2)), await limits.take('key', hour(2))]
    expect(verdicts.map(({ admitted }) => admitted)).toEqual([true, false])
  })
  it('are unavailable to all who wait, in time, where it answers no more', async () => {
    const gate = await startPostgresGate(postgres.connection)
    afterThisTest(() => gate.close())
    const limits = await processOn(gate.connection, { answer_ms_max: paced(300) })
    await limits.take('key', hour(2))
    gate.stall()
    const took = Promise.allSettled([limits.take('key', hour(2)), limits.take('other', hour(2))])
    expect((await took).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    gate.goOn()
    await expect.poll(() => limits.look('key', hour(2)).catch((error: unknown) => error)).toHaveProperty('admitted')
  })
  it('go on after its connections were ended', async () => {
    const limits = await processOn(postgres.connection)
    await limits.take('key', hour(2))
    await postgres.database.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await expect
      .poll(() => limits.take('key', hour(2)).catch((error: unknown) => error))
      .toMatchObject({ admitted: true, remaining: 0 })
  })
  it('take no more once they are closed, and answer what was asked before', async () => {
    const limits = await processOn(postgres.connection)
    const asked = limits.take('key', hour(1))
    await limits.close()
    expect((await asked).admitted).toBe(true)
    await expect(limits.take('key', hour(1))).rejects.toBeInstanceOf(Unavailable)
  })
})
