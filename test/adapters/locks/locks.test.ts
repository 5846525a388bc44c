import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inProcessLocks } from '../../../adapters/locks/in-process-locks.ts'
import { LocksUnavailable, postgresLocks, type FencedLocks } from '../../../adapters/locks/postgres-locks.ts'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { electorOn } from '../../../application/concurrency/elector.ts'
import type { Locks } from '../../../application/ports/locks.ts'
import { startPostgresGate } from '../../support/postgres-gate.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'
import { pause, withResolvers } from '../reservations/counted.ts'

const patient_ms = 20_000
const connections_max = 4

let postgres: TestDatabase
let pools: PostgresDatabase[]

beforeEach(async () => {
  postgres = await testDatabase()
  pools = []
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await postgres.close()
})

/** The locks of another process. */
function opened(wait_ms_max: number, connection: PostgresConnection = postgres.connection): FencedLocks {
  const database = openDatabase(connection, { connections_max, holdsLocks: true, onError: () => undefined })
  pools.push(database)
  return postgresLocks({ elector: electorOn(database.pool), wait_ms_max })
}

describe.each([
  { where: 'in this process', open: () => [inProcessLocks()] },
  { where: 'on Postgres', open: () => [opened(patient_ms)] },
  { where: 'on Postgres, of two processes', open: () => [opened(patient_ms), opened(patient_ms)] },
])('locks $where', ({ open }) => {
  let locks: readonly Locks[]
  let asked = 0

  beforeEach(() => {
    locks = open()
  })

  const holding: Locks['holding'] = (key, act) => {
    const chosen = locks[(asked += 1) % locks.length]
    if (!chosen) throw new Error('There are no locks')
    return chosen.holding(key, act)
  }

  it('let one act of a key run at a time, and each of 32 in the end', async () => {
    let running = 0
    let most = 0
    const act = async (): Promise<void> => {
      running += 1
      most = Math.max(most, running)
      await pause(2)
      running -= 1
    }
    const outcomes = await Promise.all(Array.from({ length: 32 }, () => holding('key', act)))
    expect(outcomes).toStrictEqual(Array.from({ length: 32 }, () => ({ result: undefined })))
    expect(most).toBe(1)
  })

  it('let acts of different keys run side by side', async () => {
    const met = withResolvers()
    const first = holding('one', () => met.promise)
    await holding('other', async () => met.resolve())
    expect(await first).toStrictEqual({ result: undefined })
  })

  it('let go of the key of an act that failed', async () => {
    await expect(holding('key', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await holding('key', async () => 'next')).toStrictEqual({ result: 'next' })
  })
})

describe('locks on Postgres', () => {
  it('give up, without acting, where others do not let go in time', async () => {
    const end = withResolvers()
    const taken = withResolvers()
    const first = opened(patient_ms).holding('key', async () => {
      taken.resolve()
      await end.promise
    })
    await taken.promise
    let acted = false
    const act = async (): Promise<void> => void (acted = true)
    expect(await opened(20).holding('key', act)).toBeUndefined()
    expect(acted).toBe(false)
    end.resolve()
    await first
    expect(await opened(patient_ms).holding('key', act)).toStrictEqual({ result: undefined })
  })

  it('are let go of at once by a process that dies', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const end = withResolvers()
    const taken = withResolvers()
    const first = opened(patient_ms, gate.connection).holding('key', () => {
      taken.resolve()
      return end.promise
    })
    await taken.promise
    const next = opened(patient_ms).holding('key', async () => 'next')
    // What Postgres notices of a process's death: its connections end.
    await gate.shut()
    expect(await next).toStrictEqual({ result: 'next' })
    end.resolve()
    await first
    await gate.close()
  })

  it('say so, without acting, where Postgres is away, and work again once it is back', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const locks = opened(patient_ms, gate.connection)
    await gate.shut()
    let acts = 0
    const act = async (): Promise<number> => (acts += 1)
    await expect(locks.holding('key', act)).rejects.toBeInstanceOf(LocksUnavailable)
    await gate.open()
    expect(await locks.holding('key', act)).toStrictEqual({ result: 1 })
    await gate.close()
  })

  it('keep who comes back after a hang from writing, until its act is over', async () => {
    const gate = await startPostgresGate(postgres.connection)
    const hung = opened(patient_ms, gate.connection)
    const end = withResolvers()
    const taken = withResolvers()
    const first = hung.holding('key', () => {
      taken.resolve()
      return end.promise
    })
    await taken.promise
    hung.requireHeld()
    // As if the host of the process were cut off, or the process hung: it no longer reports that it is alive.
    gate.stall()
    const next = opened(patient_ms).holding('key', async () => {
      expect(() => hung.requireHeld()).toThrow(LocksUnavailable)
    })
    expect(await next).toStrictEqual({ result: undefined })
    gate.goOn()
    end.resolve()
    await first
    hung.requireHeld()
    await gate.close()
  })
})
