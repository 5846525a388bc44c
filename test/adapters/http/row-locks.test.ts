import { beforeEach, describe, expect, it } from 'vitest'
import { rowLocks } from '../../../adapters/http/idempotency/row-locks.js'
import type { PostgresConnection } from '../../../adapters/postgres/database.js'
import { PostgresUnavailable } from '../../../adapters/postgres/postgres-unavailable.js'
import { startPostgresGate } from '../../support/postgres-gate.js'
import { testDatabase, type TestDatabase } from '../../support/test-database.js'
import { times } from './limits-support.js'
import { afterThisTest } from './support.js'

let postgres: TestDatabase
beforeEach(async () => {
  const opened = await testDatabase()
  postgres = opened
  afterThisTest(() => opened.close())
})

const id = (index: number): Uint8Array => Buffer.alloc(32, index)

function opened(connection: PostgresConnection, answer_ms_max?: number) {
  const locks = rowLocks(connection, () => undefined, answer_ms_max)
  afterThisTest(() => locks.close())
  return locks
}

async function gateOf() {
  const gate = await startPostgresGate(postgres.connection)
  afterThisTest(() => gate.close())
  return gate
}

describe('locks of rows', () => {
  it('ask one thing of their connection at a time, with 64 asked for at once, and are each had by one', async () => {
    const warnings: unknown[] = []
    const note = (warning: unknown) => void warnings.push(warning)
    process.on('warning', note)
    afterThisTest(() => process.off('warning', note))
    const [one, other] = [opened(postgres.connection), opened(postgres.connection)]
    const releases = await Promise.all(times(64, (index) => (index % 2 === 0 ? one : other).lock(id(index >> 2))))
    const had = releases.filter((release) => release !== undefined)
    expect(had).toHaveLength(16)
    await Promise.all(had.map((release) => release()))
    expect(await other.lock(id(0))).toBeDefined()
    expect(warnings).toEqual([])
  })
  it('reject as unavailable where Postgres can not be reached, and are had again once it can', async () => {
    const gate = await gateOf()
    const locks = opened(gate.connection)
    await gate.shut()
    const tried = await Promise.allSettled(times(5, (index) => locks.lock(id(index))))
    expect(tried.map((each) => each.status === 'rejected' && each.reason instanceof PostgresUnavailable)).toEqual(
      times(5, () => true),
    )
    await gate.open()
    expect(await locks.lock(id(0))).toBeDefined()
  })
  it('reject as unavailable where Postgres answers no more, all who wait in about the time of one', async () => {
    const gate = await gateOf()
    const locks = opened(gate.connection, 300)
    await locks.lock(id(100))
    gate.stall()
    const from = performance.now()
    const tried = await Promise.allSettled(times(40, (index) => locks.lock(id(index))))
    expect(tried.map((each) => each.status === 'rejected' && each.reason instanceof PostgresUnavailable)).toEqual(
      times(40, () => true),
    )
    expect(performance.now() - from).toBeLessThan(9000)
    gate.goOn()
    await expect.poll(() => locks.lock(id(0)).catch(() => undefined)).toBeDefined()
  })
  it('are free once their connection is gone; to release one then is no error, and takes no lock from another', async () => {
    const gate = await gateOf()
    const [locks, others] = [opened(gate.connection), opened(postgres.connection)]
    const [release, releaseOther] = [await locks.lock(id(1)), await locks.lock(id(2))]
    await gate.shut()
    await expect.poll(() => others.lock(id(1))).toBeDefined()
    await gate.open()
    await release?.()
    expect(await locks.lock(id(1))).toBeUndefined()
    await releaseOther?.()
    expect(await locks.lock(id(2))).toBeDefined()
    expect(await others.lock(id(2))).toBeUndefined()
  })
})
