import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { failureAnswer } from '../../../adapters/http/errors/failure-answer.ts'
import { openDatabase, type DatabaseSettings, type PostgresConnection } from '../../../adapters/postgres/database.ts'
import { orPostgresUnavailable, PostgresUnavailable } from '../../../adapters/postgres/postgres-unavailable.ts'
import { sql } from '../../../application/sql/sql.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { paced } from '../../support/pace.ts'
import { gatedPostgres, type GatedPostgres } from './gated-postgres.ts'

const on = gatedPostgres()
let postgres: GatedPostgres['postgres']
let gate: GatedPostgres['gate']
beforeEach(() => {
  ;({ postgres, gate } = on())
})

function opened(connection: PostgresConnection, settings?: DatabaseSettings) {
  const database = openDatabase(connection, { connections_max: 2, ...settings })
  on().cleanups.push(() => database.close())
  return database
}

const answer = sql.type(z.object({ number: z.int() }))`select 1 as number`
const slow = sql.type(z.object({}))`select pg_sleep(60)`
const failure = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => new Error('It did not fail'),
    (error: unknown) => error,
  )

describe('a query whose Postgres can not be had', () => {
  it('rejects as unavailable, which HTTP answers with 503, and works again once it is back', async () => {
    const database = opened(gate.connection)
    await gate.shut()
    const error = await failure(database.one(answer))
    expect(error).toBeInstanceOf(PostgresUnavailable)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toHaveProperty('cause.code')
    expect(failureAnswer(error, 'en').status).toBe(503)
    await gate.open()
    expect(await database.one(answer)).toEqual({ number: 1 })
  })
  it('rejects so too where nobody listens, by any address', async () => {
    const nowhere = { ...postgres.connection, host: '127.0.0.1', port: 1 }
    expect(await failure(opened(nowhere).any(answer))).toBeInstanceOf(PostgresUnavailable)
    const noSocket = { ...postgres.connection, host: '/nowhere' }
    expect(await failure(opened(noSocket).maybeOne(answer))).toBeInstanceOf(PostgresUnavailable)
  })
  it('rejects so too where the connection is reset under it, or ended by the server', async () => {
    const database = opened(gate.connection)
    const isRunning = async () => {
      const found = await postgres.database.pool.query(
        "select pid from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid() and state = 'active'",
      )
      return found.rows.length
    }
    const reset = failure(database.any(slow))
    await expect.poll(isRunning).toBe(1)
    await gate.shut()
    expect(await reset).toBeInstanceOf(PostgresUnavailable)
    await gate.open()
    const ended = failure(database.any(slow))
    await expect.poll(isRunning).toBe(2)
    await postgres.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`,
    )
    expect(await ended).toMatchObject({ name: 'PostgresUnavailable', cause: { code: '57P01' } })
  })
  it('rejects so too where no connection is free for long', async () => {
    const database = opened(postgres.connection, { connections_max: 1, wait_ms_max: paced(200) })
    const busy = await database.pool.connect()
    try {
      expect(await failure(database.any(answer))).toBeInstanceOf(PostgresUnavailable)
    } finally {
      busy.release()
    }
  })
  it.each([
    ['disk is left', sql.type(z.object({}))`do $$ begin raise exception 'full' using errcode = '53100'; end $$`],
    ['memory is left', sql.type(z.object({}))`do $$ begin raise exception 'full' using errcode = '53200'; end $$`],
    [
      'connections are left',
      sql.type(z.object({}))`do $$ begin raise exception 'full' using errcode = '53300'; end $$`,
    ],
  ])('rejects so too where no %s, and HTTP answers 503', async (_, full) => {
    const error = await failure(postgres.database.any(full))
    expect(error).toBeInstanceOf(PostgresUnavailable)
    expect(failureAnswer(error, 'en').status).toBe(503)
  })
})

describe('a connection that is taken from the pool', () => {
  it('may break between two statements without ending the process: the next one rejects', async () => {
    const { pool } = opened(postgres.connection)
    const taken = await pool.connect()
    const { rows } = await taken.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = new Promise((resolve) => taken.once('end', resolve))
    await postgres.database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await ended
    expect(orPostgresUnavailable(await failure(taken.query('select 1')))).toBeInstanceOf(PostgresUnavailable)
    taken.release(true)
  })
})

describe('a query with a time limit', () => {
  it('rejects as unavailable where Postgres answers no more', async () => {
    const database = opened(gate.connection, { answer_ms_max: paced(300) })
    await database.one(answer)
    gate.stall()
    expect(await failure(database.any(answer))).toBeInstanceOf(PostgresUnavailable)
    gate.goOn()
    expect(await database.one(answer)).toEqual({ number: 1 })
  })
  it('is given up by Postgres too, and the next one is answered', async () => {
    const database = opened(postgres.connection, { answer_ms_max: paced(200) })
    expect(await failure(database.any(slow))).toBeInstanceOf(PostgresUnavailable)
    await expect
      .poll(async () => {
        const { rows } = await postgres.database.pool.query(
          "select 1 from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
        )
        return rows.length
      })
      .toBe(0)
    expect(await database.one(answer)).toEqual({ number: 1 })
  })
})

describe('a query that Postgres refuses', () => {
  it.each([
    ['a syntax that is none', 'selec 1', '42601'],
    ['a broken constraint', "select 'x'::integer", '22P02'],
    ['a table that is missing', 'select * from nowhere', '42P01'],
  ])('rejects with its own error: %s', async (name, text, code) => {
    const error = await failure(postgres.database.any({ ...answer, name, sql: text }))
    expect(error).not.toBeInstanceOf(Unavailable)
    expect(error).toHaveProperty('code', code)
    expect(failureAnswer(error, 'en').status).toBe(500)
  })
  it('rejects with its own error where the database is not there: that is no passing fault', async () => {
    const error = await failure(opened({ ...postgres.connection, database: 'nowhere' }).any(answer))
    expect(error).toHaveProperty('code', '3D000')
  })
  it('leaves what is no error of Postgres as it is', () => {
    for (const other of [new Error('Expected one row'), new TypeError('x'), 'text', undefined, new Unavailable('own')])
      expect(orPostgresUnavailable(other)).toBe(other)
  })
})

describe('a transaction', () => {
  const table = sql.type(z.object({}))`create table notes (number int4 primary key)`
  const note = (number: number) => sql.type(z.object({}))`insert into notes (number) values (${number})`
  const notes = sql.type(z.object({ number: z.int() }))`select number from notes order by number`

  it('holds all of its work, or nothing where that rejects, and gives its connection back', async () => {
    const database = opened(postgres.connection, { connections_max: 1 })
    await database.any(table)
    const written = await database.transaction(async (queries) => {
      await queries.any(note(1))
      return queries.any(notes)
    })
    expect(written).toEqual([{ number: 1 }])
    const why = new Error('the work went wrong')
    const refused = database.transaction(async (queries) => {
      await queries.any(note(2))
      throw why
    })
    expect(await failure(refused)).toBe(why)
    const failed = database.transaction(async (queries) => {
      await queries.any(note(3))
      await queries.any(note(1))
    })
    expect(await failure(failed)).toHaveProperty('code', '23505')
    expect(await database.any(notes)).toEqual([{ number: 1 }])
  })

  it('rejects as unavailable where its connection breaks on the way, and nothing of it has happened', async () => {
    const database = opened(gate.connection)
    await database.any(table)
    const broken = database.transaction(async (queries) => {
      await queries.any(note(1))
      await gate.shut()
      await queries.any(note(2))
    })
    expect(await failure(broken)).toBeInstanceOf(PostgresUnavailable)
    await gate.open()
    expect(await database.any(notes)).toEqual([])
  })
})

describe('a transaction whose process hangs', () => {
  const hold = sql.type(z.object({}))`select pg_advisory_xact_lock(7)`
  it('is ended by Postgres, which lets go of what it locked; nothing of it has happened when the process comes back', async () => {
    await postgres.database.pool.query('create table notes (text text)')
    const [hanging, living] = [opened(gate.connection, { standstill_ms_max: paced(300) }), opened(postgres.connection)]
    const error = await failure(
      hanging.transaction(async (queries) => {
        await queries.any(hold)
        await queries.any(sql.type(z.object({}))`insert into notes values ('late')`)
        gate.stall()
        await living.transaction((others) => others.any(hold))
        gate.goOn()
      }),
    )
    expect(error).toBeInstanceOf(PostgresUnavailable)
    expect(await living.any(sql.type(z.object({}))`select from notes`)).toEqual([])
    expect(await hanging.one(answer)).toEqual({ number: 1 })
  })
  it('is left alone while it works, however long a statement takes', async () => {
    const standstill_ms_max = paced(100)
    const database = opened(postgres.connection, { standstill_ms_max })
    const done = await database.transaction(async (queries) => {
      await queries.any(sql.type(z.object({}))`select pg_sleep(${(2 * standstill_ms_max) / 1000})`)
      return queries.one(answer)
    })
    expect(done).toEqual({ number: 1 })
  })
})
