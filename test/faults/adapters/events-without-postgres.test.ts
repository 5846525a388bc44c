import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import pg from 'pg'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import type { StreamName } from '../../../domain/streams.ts'
import { anyStream, collect, idsOf, newEvents } from '../../contract/sample-events.ts'
import { startPostgresGate, type PostgresGate } from '../../support/postgres-gate.ts'
import { openStores, type OpenStores } from '../../adapters/event-store/postgres/open-stores.ts'

let stores: OpenStores
let gate: PostgresGate
let locker: pg.Client
beforeEach(async () => {
  stores = await openStores()
  gate = await startPostgresGate(stores.connection)
  locker = new pg.Client(stores.connection)
  await locker.connect()
})
afterEach(async () => {
  await locker.end()
  await stores.close()
  await gate.close()
})

/** Appends of any process now wait in Postgres until `letAppendsGo`. */
const holdAppends = () => locker.query('select pg_advisory_lock(1196771660, 1)')
const letAppendsGo = () => locker.query('select pg_advisory_unlock(1196771660, 1)')

async function waitingAppends(): Promise<number> {
  const { rows } = await locker.query(
    `select from pg_locks where locktype = 'advisory' and classid = 1196771660 and objid = 1 and not granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.length
}

const storedIn = async (store: EventStore, stream: StreamName) =>
  idsOf(await collect(store.readStream(stream, noStream)))

describe('an append whose Postgres is lost', () => {
  it('rejects as unavailable though it took place; the same append again is told so', async () => {
    const store = await stores.open({ connection: gate.connection })
    const [stream, events] = [anyStream(), newEvents(2)]
    await store.append(anyStream(), noStream, newEvents(1))
    await holdAppends()
    const tried = Promise.allSettled([store.append(stream, noStream, events)])
    await expect.poll(waitingAppends).toBe(1)
    await gate.shut()
    expect(await tried).toMatchObject([{ status: 'rejected', reason: expect.any(Unavailable) }])
    await letAppendsGo()
    await expect.poll(() => storedIn(store, stream)).toEqual(idsOf(events))
    await gate.open()
    expect(await store.append(stream, noStream, events)).toMatchObject({ outcome: 'repeated', revision: 1 })
  })
  it('rejects as unavailable with all that wait beside it, and goes on once Postgres is back', async () => {
    const store = await stores.open({ connection: gate.connection })
    await gate.shut()
    const stream = anyStream()
    const tried = await Promise.allSettled(
      [stream, anyStream(), anyStream()].map((each) => store.append(each, noStream, newEvents(1))),
    )
    expect(tried.map((each) => each.status === 'rejected' && each.reason instanceof Unavailable)).toEqual([
      true,
      true,
      true,
    ])
    await gate.open()
    expect(await store.append(stream, noStream, newEvents(1))).toMatchObject({ outcome: 'appended', revision: 0 })
  })
  it('rejects as unavailable where no answer comes in time, and is then given up', async () => {
    const store = await stores.open({ appendAnswer_ms_max: 200 })
    const [stream, events] = [anyStream(), newEvents(1)]
    await holdAppends()
    await expect(store.append(stream, noStream, events)).rejects.toBeInstanceOf(Unavailable)
    await expect.poll(waitingAppends).toBe(0)
    await letAppendsGo()
    expect(await storedIn(store, stream)).toEqual([])
    expect(await store.append(stream, noStream, events)).toMatchObject({ outcome: 'appended', revision: 0 })
  })
})
