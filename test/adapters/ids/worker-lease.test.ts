import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaseLife_ms, leaseRest_ms } from '../../../adapters/ids/lease-table.ts'
import {
  leaseUse_ms,
  leaseWorkerId,
  NoWorkerIdFree,
  WorkerIdLapsed,
  type WorkerLease,
  type WorkerLeaseSettings,
} from '../../../adapters/ids/worker-lease.ts'
import { snowflakeGenerator } from '../../../adapters/ids/snowflake-generator.ts'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { paced } from '../../support/pace.ts'
import { startPostgresGate } from '../../support/postgres-gate.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'

let postgres: TestDatabase
let leases: WorkerLease[]

beforeEach(async () => {
  postgres = await migratedDatabase()
  leases = []
})
afterEach(async () => {
  await Promise.all(leases.map((lease) => lease.release()))
  await postgres.close()
})

/** A lease whose clock stands still until it is set, and that is renewed only on request. */
async function lease(settings: Partial<WorkerLeaseSettings> = {}) {
  const clock = { now: 1_000_000, timeOfDay: 1_700_000_000_000, uptime: 5_000_000 }
  const leased = await leaseWorkerId({
    database: postgres.database,
    now: () => clock.now,
    timeOfDay: () => clock.timeOfDay,
    uptime: () => clock.uptime,
    renewEvery_ms: 3_600_000,
    holder: randomUUID(),
    ...settings,
  })
  leases.push(leased)
  return { leased, clock }
}

async function rows(statement: string): Promise<readonly Record<string, unknown>[]> {
  return (await postgres.database.pool.query<Record<string, unknown>>(statement)).rows
}

/** As if Postgres' clock had moved on. */
const passForPostgres = (ms: number) =>
  rows(`update ids.worker_leases set expires_at = expires_at - interval '${ms} ms' where isfinite(expires_at)`)
/** Leaves no id free except those of the test's own leases. */
const takeTheRest = () => rows(`update ids.worker_leases set expires_at = 'infinity' where not isfinite(expires_at)`)

describe('a lease of a worker id', () => {
  it('is of another id than every other, with 40 taken at once', async () => {
    const taken = await Promise.all(Array.from({ length: 40 }, () => lease()))
    const ids = taken.map(({ leased }) => leased.workerId)
    expect(new Set(ids).size).toBe(40)
    expect(ids.every((id) => id >= 0 && id <= 1023)).toBe(true)
  })

  it('is refused where all ids are taken, and says so', async () => {
    await lease()
    await takeTheRest()
    const refused = lease()
    await expect(refused).rejects.toBeInstanceOf(NoWorkerIdFree)
    await expect(refused).rejects.toThrow(/1024/)
  })

  it('gives no id any more before another process can be given that id', async () => {
    const { leased, clock } = await lease()
    const id = leased.workerId
    await takeTheRest()
    const [row] = await rows(
      `select (extract(epoch from expires_at - clock_timestamp()) * 1000)::int4 as left_ms from ids.worker_leases where id = ${id}`,
    )
    // The holder has also counted the time since the statement was sent.
    expect(row?.['left_ms']).toBeGreaterThan(leaseUse_ms)

    clock.now += leaseUse_ms - 1
    expect(leased.workerId).toBe(id)
    await passForPostgres(leaseUse_ms - 1)
    await expect(lease()).rejects.toBeInstanceOf(NoWorkerIdFree)

    clock.now += 1
    expect(leased.isHeld).toBe(false)
    expect(() => leased.workerId).toThrow(WorkerIdLapsed)
    expect(() => leased.workerId).toThrow(Unavailable)

    await passForPostgres(leaseLife_ms + leaseRest_ms - leaseUse_ms - 20_000)
    await expect(lease()).rejects.toBeInstanceOf(NoWorkerIdFree)
    await passForPostgres(20_001)
    expect((await lease()).leased.workerId).toBe(id)
    expect(leased.isHeld).toBe(false)
  })

  it('lapses while a machine sleeps too, when the steady clock stands still', async () => {
    const { leased, clock } = await lease()
    clock.timeOfDay += leaseUse_ms
    clock.uptime += leaseUse_ms
    expect(leased.isHeld).toBe(false)
  })

  it('outlasts every step of the time of day, which is no time that has passed', async () => {
    const { leased, clock } = await lease()
    for (const step_ms of [-3_600_000, 2 * 3_600_000, leaseUse_ms]) {
      clock.timeOfDay += step_ms
      expect(leased.isHeld).toBe(true)
    }
  })

  it('is counted from before the statement that takes or renews it is sent, so an answer that comes late is worth nothing', async () => {
    const clock = { now: 0 }
    const heldBefore: (boolean | undefined)[] = []
    const opened: WorkerLease[] = []
    const late: PostgresDatabase = {
      ...postgres.database,
      async maybeOne(query) {
        heldBefore.push(opened[0]?.isHeld)
        const row = await postgres.database.maybeOne(query)
        clock.now += heldBefore.length < 4 ? leaseUse_ms : leaseUse_ms - 1
        return row
      },
    }
    const { leased } = await lease({ database: late, now: () => clock.now, renewEvery_ms: 1 })
    opened.push(leased)
    await expect.poll(() => heldBefore.length).toBeGreaterThanOrEqual(5)
    await leased.release()
    expect(heldBefore.slice(0, 5)).toEqual([undefined, false, false, false, true])
  })

  it('is renewed for as long as it is held', async () => {
    const { leased } = await lease({ renewEvery_ms: 10 })
    const expiry = async () =>
      (await rows(`select expires_at::text as at from ids.worker_leases where id = ${leased.workerId}`))[0]?.['at']
    const first = await expiry()
    await expect.poll(expiry).not.toBe(first)
  })

  it('rests after it was given back, and gives no id any more', async () => {
    const { leased } = await lease()
    const id = leased.workerId
    await takeTheRest()
    await leased.release()
    await leased.release()
    expect(leased.isHeld).toBe(false)
    expect(() => leased.workerId).toThrow(WorkerIdLapsed)
    await passForPostgres(leaseRest_ms - 10_000)
    await expect(lease()).rejects.toBeInstanceOf(NoWorkerIdFree)
    await passForPostgres(10_001)
    expect((await lease()).leased.workerId).toBe(id)
  })

  it('takes the id that has rested longest', async () => {
    const first = (await lease()).leased
    const id = first.workerId
    await first.release()
    await passForPostgres(leaseRest_ms + 1)
    const others = await Promise.all(Array.from({ length: 20 }, () => lease()))
    expect(others.map(({ leased }) => leased.workerId)).not.toContain(id)
  })
})

describe('a lease whose Postgres goes away', () => {
  it('lapses, refuses ids as something that may come back, and is the same id when Postgres is back', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const errors: unknown[] = []
    const database = openDatabase(gate.connection)
    try {
      const { leased, clock } = await lease({ database, renewEvery_ms: 10, onError: (error) => errors.push(error) })
      const id = leased.workerId
      const ids = snowflakeGenerator({ workerId: () => leased.workerId })
      await gate.shut()
      await expect.poll(() => errors.length).toBeGreaterThan(0)
      expect(leased.workerId).toBe(id)
      clock.now += leaseUse_ms
      expect(() => ids.next()).toThrow(Unavailable)
      expect(() => ids.setAside(1)).toThrow(Unavailable)
      await gate.open()
      await expect.poll(() => leased.isHeld).toBe(true)
      expect(leased.workerId).toBe(id)
      expect((BigInt(ids.next()) >> 12n) & 1023n).toBe(BigInt(id))
      await leased.release()
    } finally {
      await database.close()
      await gate.close()
    }
  })

  it('is another id afterwards where the first one has a new holder', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const database = openDatabase(gate.connection)
    try {
      const { leased, clock } = await lease({ database, renewEvery_ms: 10 })
      const id = leased.workerId
      await gate.shut()
      clock.now += leaseUse_ms
      await rows(`update ids.worker_leases set holder = gen_random_uuid() where id = ${id}`)
      await gate.open()
      await expect.poll(() => leased.isHeld).toBe(true)
      expect(leased.workerId).not.toBe(id)
      await leased.release()
      const [other] = await rows(`select holder is not null as held from ids.worker_leases where id = ${id}`)
      expect(other).toEqual({ held: true })
    } finally {
      await database.close()
      await gate.close()
    }
  })

  it('is renewed again where Postgres stood still, and is the same id', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const errors: unknown[] = []
    const database = openDatabase(gate.connection, { answer_ms_max: paced(200) })
    const onError = (error: unknown) => errors.push(error)
    try {
      const { leased, clock } = await lease({ database, renewEvery_ms: 10, onError })
      const id = leased.workerId
      gate.stall()
      await expect.poll(() => errors.length).toBeGreaterThan(0)
      clock.now += leaseUse_ms
      expect(leased.isHeld).toBe(false)
      gate.goOn()
      await expect.poll(() => leased.isHeld).toBe(true)
      expect(leased.workerId).toBe(id)
      await leased.release()
    } finally {
      await database.close()
      await gate.close()
    }
  })

  it('is released without a failure', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const database = openDatabase(gate.connection)
    const errors: unknown[] = []
    const { leased } = await lease({ database, onError: (error) => errors.push(error) })
    await gate.shut()
    await leased.release()
    expect(errors).toHaveLength(1)
    await database.close()
    await gate.close()
  })
})
