import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openPostgresReservations,
  type PostgresReservations,
} from '../../../adapters/reservations/postgres-reservations.ts'
import { ReservationsUnavailable } from '../../../adapters/reservations/reservations-unavailable.ts'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'
import { paced } from '../../support/pace.ts'
import { startPostgresGate, type PostgresGate } from '../../support/postgres-gate.ts'
import { withinOne, counted, withResolvers } from './counted.ts'

let postgres: TestDatabase
let processes: PostgresReservations[]

beforeEach(async () => {
  postgres = await migratedDatabase()
  processes = []
})
afterEach(async () => {
  await Promise.all(processes.map((reservations) => reservations.close()))
  await postgres.close()
})

async function openReservations(
  settings: Partial<Parameters<typeof openPostgresReservations>[0]> = {},
): Promise<PostgresReservations> {
  const reservations = openPostgresReservations({ database: postgres.database, ...settings })
  processes.push(reservations)
  return reservations
}

const none = () => Promise.resolve(0)
const done = () => Promise.resolve('done')
const never = () => new Promise<never>(() => undefined)

async function reservationRows(): Promise<number> {
  const { rows } = await postgres.database.pool.query<{ readonly count: number }>(
    'select count(*)::int4 as count from admission.reservations',
  )
  return rows[0]?.count ?? -1
}

/** As if the first one in the queue had used up its time. */
const lapseTheFirst = () =>
  postgres.database.pool.query(`update admission.reservations set expires_at = clock_timestamp()
    where ticket = (select min(ticket) from admission.reservations)`)

describe('reservations on Postgres', () => {
  it('holds no connection while an act runs or waits, and the count may come from the same pool', async () => {
    const database = openDatabase(postgres.connection, { connections_max: 1 })
    const reservations = await openReservations({ database })
    const rows = counted()
    const ask = () => database.pool.query('select 1')
    const count = async () => {
      await ask()
      return rows.count()
    }
    const act = async () => {
      await ask()
      return rows.act()
    }
    const outcomes = await Promise.all(Array.from({ length: 64 }, () => withinOne(reservations, 'key', 10, count, act)))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(10)
    await reservations.close()
    await database.close()
  })

  it('leaves nothing behind', async () => {
    const reservations = await openReservations()
    const rows = counted()
    const failing = () => Promise.reject(new Error('refused'))
    await Promise.allSettled([
      ...Array.from({ length: 20 }, () => withinOne(reservations, 'key', 5, rows.count, rows.act)),
      ...Array.from({ length: 5 }, () => withinOne(reservations, 'key', 5, rows.count, failing)),
      withinOne(reservations, 'key', 5, () => Promise.reject(new Error('no count')), rows.act),
    ])
    await expect.poll(reservationRows).toBe(0)
  })

  it('gives the place of a dead process to others once it lapses, and not before', async () => {
    const [dead, alive] = [await openReservations(), await openReservations()]
    void withinOne(dead, 'key', 1, none, never)
    await expect.poll(reservationRows).toBe(1)
    const outcome = withinOne(alive, 'key', 1, none, done)
    await expect.poll(reservationRows).toBe(2)
    const [first] = await Promise.all([Promise.race([outcome, Promise.resolve('waits')]), reservationRows()])
    expect(first).toBe('waits')
    await lapseTheFirst()
    expect(await outcome).toBe('done')
  })

  it('gives it after the time that a reservation lives, by the clock of Postgres', async () => {
    const [dead, alive] = [await openReservations({ reservationLife_ms: 400 }), await openReservations()]
    const begun = performance.now()
    void withinOne(dead, 'key', 1, none, never)
    await expect.poll(reservationRows).toBe(1)
    expect(await withinOne(alive, 'key', 1, none, done)).toBe('done')
    expect(performance.now() - begun).toBeGreaterThanOrEqual(400)
  })

  it('turns nobody away for places that are only taken: it waits until their acts are over', async () => {
    const [one, other] = [await openReservations(), await openReservations()]
    const rows = counted()
    const { promise: mayFail, resolve: fail } = withResolvers()
    const failing = withinOne(one, 'key', 1, rows.count, () => mayFail.then(() => Promise.reject(new Error('refused'))))
    await expect.poll(reservationRows).toBe(1)
    const outcomes = Promise.all([
      withinOne(other, 'key', 1, rows.count, rows.act),
      withinOne(other, 'key', 1, rows.count, rows.act),
    ])
    await expect.poll(reservationRows).toBe(3)
    fail()
    await expect(failing).rejects.toThrow('refused')
    expect((await outcomes).filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(rows.there).toBe(1)
  })

  it('says that it can not tell where that takes too long, and takes no place then', async () => {
    const reservations = await openReservations({ wait_ms_max: 50 })
    void withinOne(reservations, 'key', 1, none, never)
    await expect.poll(reservationRows).toBe(1)
    let acted = false
    const late = withinOne(reservations, 'key', 1, none, () => {
      acted = true
      return done()
    })
    await expect(late).rejects.toBeInstanceOf(ReservationsUnavailable)
    expect(acted).toBe(false)
    await expect.poll(reservationRows).toBe(1)
  })

  it('keeps the place of an act that may be counted later, until it lapses', async () => {
    const [one, impatient] = [await openReservations(), await openReservations({ wait_ms_max: 50 })]
    const behind = withinOne(one, 'key', 1, none, () =>
      Promise.reject(new ReadModelsBehind('written, and not counted')),
    )
    await expect(behind).rejects.toBeInstanceOf(ReadModelsBehind)
    await expect(withinOne(impatient, 'key', 1, none, done)).rejects.toBeInstanceOf(ReservationsUnavailable)
    await lapseTheFirst()
    expect(await withinOne(one, 'key', 1, none, done)).toBe('done')
  })

  it('keep no place of an act that other reservations could not tell about', async () => {
    const reservations = await openReservations({ wait_ms_max: 50 })
    void withinOne(reservations, 'inner', 1, none, never)
    await expect.poll(reservationRows).toBe(1)
    const nested = withinOne(reservations, 'outer', 1, none, () => withinOne(reservations, 'inner', 1, none, done))
    await expect(nested).rejects.toBeInstanceOf(ReservationsUnavailable)
    expect(await withinOne(reservations, 'outer', 1, none, done)).toBe('done')
  })

  it('lets nobody in once it is closed, and rejects those who wait', async () => {
    const reservations = await openReservations()
    void withinOne(reservations, 'key', 1, none, never)
    await expect.poll(reservationRows).toBe(1)
    const waiting = withinOne(reservations, 'key', 1, none, done).catch((error: unknown) => error)
    await expect.poll(reservationRows).toBe(2)
    await new Promise(setImmediate)
    await reservations.close()
    await expect(withinOne(reservations, 'other', 1, none, done)).rejects.toBeInstanceOf(ReservationsUnavailable)
    expect(await waiting).toBeInstanceOf(ReservationsUnavailable)
  })
})

describe('reservations that lose their Postgres', () => {
  let gate: PostgresGate
  let database: PostgresDatabase
  let reservations: PostgresReservations
  let errors: unknown[]

  beforeEach(async () => {
    gate = await startPostgresGate(postgres.connection)
    database = openDatabase(gate.connection)
    errors = []
    reservations = await openReservations({ database, onError: (error) => errors.push(error) })
  })
  afterEach(async () => {
    await reservations.close()
    await database.close()
    await gate.close()
  })

  it('says so without acting, and lets in again when Postgres is back', async () => {
    await gate.shut()
    let acted = false
    const act = () => {
      acted = true
      return done()
    }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => withinOne(reservations, 'key', 5, none, act)),
    )
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected' })
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ReservationsUnavailable)
    }
    expect(acted).toBe(false)
    await gate.open()
    expect(await withinOne(reservations, 'key', 5, none, act)).toBe('done')
    await expect.poll(reservationRows).toBe(0)
  })

  it('gives those who wait the same answer, and no place stays', async () => {
    const { promise: mayEnd, resolve: end } = withResolvers()
    const act = withinOne(reservations, 'key', 1, none, async () => {
      await mayEnd
      return 'done'
    })
    await expect.poll(reservationRows).toBe(1)
    const waiting = withinOne(reservations, 'key', 1, none, done).catch((error: unknown) => error)
    await expect.poll(reservationRows).toBe(2)
    await gate.shut()
    expect(await waiting).toBeInstanceOf(ReservationsUnavailable)
    end()
    // The act is not affected: its caller gets its result.
    expect(await act).toBe('done')
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    await gate.open()
    await expect.poll(reservationRows).toBe(0)
  })

  it('says so where Postgres stands still, and goes on with it', async () => {
    const bound_ms = paced(200)
    const bounded = openDatabase(gate.connection, { answer_ms_max: bound_ms, wait_ms_max: bound_ms })
    const stopped = await openReservations({ database: bounded, onError: (error) => errors.push(error) })
    gate.stall()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => withinOne(stopped, 'key', 5, none, done)))
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ReservationsUnavailable)
    }
    gate.goOn()
    expect(await withinOne(stopped, 'key', 5, none, done)).toBe('done')
    await expect.poll(reservationRows).toBe(0)
    await stopped.close()
    await bounded.close()
  })

  it('gives up a place that was taken while the answer was lost', async () => {
    const locking = await postgres.database.pool.connect()
    try {
      await locking.query('begin; lock table admission.reservations in exclusive mode')
      const lost = withinOne(reservations, 'key', 1, none, done).catch((error: unknown) => error)
      const waiters = () =>
        locking.query(`select from pg_locks where relation = 'admission.reservations'::regclass and not granted`)
      await expect.poll(async () => (await waiters()).rowCount).toBe(1)
      await gate.shut()
      expect(await lost).toBeInstanceOf(ReservationsUnavailable)
      await locking.query('commit')
    } finally {
      locking.release(true)
    }
    await gate.open()
    expect(await withinOne(reservations, 'key', 1, none, done)).toBe('done')
    await expect.poll(reservationRows).toBe(0)
  })
})
