import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../../../adapters/postgres/database.js'
import { PostgresUnavailable } from '../../../adapters/postgres/postgres-unavailable.js'
import { sql } from '../../../application/ports/database.js'
import { gatedPostgres, type GatedPostgres } from './gated-postgres.js'

const on = gatedPostgres()
let postgres: GatedPostgres['postgres']
let gate: GatedPostgres['gate']
beforeEach(() => {
  ;({ postgres, gate } = on())
})

const numbered = z.object({ number: z.int(), pid: z.int() })
const lookup = (number: number) =>
  sql.lookup(numbered)`select 12 / ${number}::int4 as number, pg_backend_pid()::int4 as pid`
const slowLookup = (seconds: number) =>
  sql.lookup(numbered)`select 0 as number, pg_backend_pid()::int4 as pid from pg_sleep(${seconds})`
const read = sql.type(numbered)`select 1 as number, pg_backend_pid()::int4 as pid`
/** The error; undefined for none. */
const failure = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => undefined,
    (error: unknown) => error,
  )

/** A database whose lookups share a connection already. */
async function sharing(connection: PostgresConnection, answer_ms_max = 5000): Promise<PostgresDatabase> {
  const database = openDatabase(connection, { connections_max: 2, answer_ms_max, sharesLookups: true })
  on().cleanups.push(() => database.close())
  await expect.poll(async () => new Set((await together(database, 20)).map(({ pid }) => pid)).size).toBe(1)
  return database
}

const together = (database: PostgresDatabase, count: number) =>
  Promise.all(Array.from({ length: count }, () => database.one(lookup(1))))

const pidOf = async (database: PostgresDatabase) => (await database.one(lookup(1))).pid
const pidsOf = async (database: PostgresDatabase, count: number) =>
  new Set((await together(database, count)).map(({ pid }) => pid))

async function isRunning(pid: number): Promise<boolean> {
  const { rows } = await postgres.database.pool.query(
    "select 1 from pg_stat_activity where pid = $1 and state = 'active' and query like '%pg_sleep%'",
    [pid],
  )
  return rows.length > 0
}

describe('lookups that are asked at the same time', () => {
  it('share a connection, and each gets its own answer', async () => {
    const database = await sharing(postgres.connection)
    const answers = await Promise.all([1, 2, 3, 4, 6, 12].map((number) => database.one(lookup(number))))
    expect(answers.map(({ number }) => number)).toEqual([12, 6, 4, 3, 2, 1])
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1)
  })

  it('are refused one by one: an error is told to who asked, and the others are answered', async () => {
    const database = await sharing(postgres.connection)
    const [before, wrong, after] = await Promise.allSettled([2, 0, 3].map((number) => database.one(lookup(number))))
    expect(before).toMatchObject({ value: { number: 6 } })
    expect(wrong).toMatchObject({ reason: { code: '22012' } })
    expect(after).toMatchObject({ value: { number: 4 } })
  })

  it('take a second connection where very many wait for the first', async () => {
    const database = await sharing(postgres.connection)
    await expect.poll(async () => (await pidsOf(database, 60)).size).toBeGreaterThan(1)
  })

  it('are not kept by a slow one: whoever waits behind it is answered elsewhere, and so are later ones', async () => {
    const database = await sharing(postgres.connection)
    const pid = await pidOf(database)
    let isOver = false
    const slow = database.one(slowLookup(3)).finally(() => (isOver = true))
    const behind = await together(database, 5)
    expect(behind.map((answer) => answer.pid)).not.toContain(pid)
    expect(await pidsOf(database, 5)).not.toContain(pid)
    expect(isOver).toBe(false)
    expect((await slow).pid).toBe(pid)
  })
})

describe('other statements', () => {
  it('have a connection of their own, and lookups of a transaction that of the transaction', async () => {
    const database = await sharing(postgres.connection)
    const shared = await pidOf(database)
    expect((await database.one(read)).pid).not.toBe(shared)
    await database.transaction(async (queries) => {
      await queries.any(sql.type(z.object({}))`create table notes (number int4)`)
      await queries.any(sql.type(z.object({}))`insert into notes values (7)`)
      const found = await queries.one(
        sql.lookup(numbered)`select number, pg_backend_pid()::int4 as pid from notes where number = 7`,
      )
      expect(found.number).toBe(7)
      expect(found.pid).not.toBe(shared)
    })
  })
})

describe('lookups on a connection that breaks', () => {
  it('are answered by another one, but for the one that Postgres was at', async () => {
    const database = await sharing(postgres.connection)
    const pid = await pidOf(database)
    const [first, ...others] = [failure(database.one(slowLookup(30))), database.one(lookup(2)), database.one(lookup(3))]
    await expect.poll(() => isRunning(pid)).toBe(true)
    await postgres.database.pool.query('select pg_terminate_backend($1)', [pid])
    expect(await first).toMatchObject({ name: 'PostgresUnavailable', cause: { code: '57P01' } })
    expect((await Promise.all(others)).map((answer) => (answer as { readonly number: number }).number)).toEqual([6, 4])
    await expect.poll(() => pidOf(database)).not.toBe(pid)
  })

  it('are answered although it broke before anybody used it', async () => {
    let broken_count = 0
    const database = openDatabase(postgres.connection, {
      connections_max: 2,
      answer_ms_max: 5000,
      sharesLookups: true,
      onConnect: async (client) => {
        // The shared ones send before they are answered.
        if (!('pipeline' in client) || client.pipeline !== true || broken_count > 0) return
        broken_count += 1
        const ended = new Promise((resolve) => client.once('end', resolve))
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
        await postgres.database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
        await ended
      },
    })
    on().cleanups.push(() => database.close())
    await expect.poll(async () => (await pidsOf(database, 20)).size).toBe(1)
    expect(broken_count).toBe(1)
  })

  it('are unavailable where Postgres is away, and are answered once it is back', async () => {
    const database = await sharing(gate.connection)
    await gate.shut()
    expect(await failure(database.one(lookup(1)))).toBeInstanceOf(PostgresUnavailable)
    await gate.open()
    // A connection may be found to be broken only when it is used.
    await expect.poll(() => failure(database.one(lookup(1)))).not.toBeInstanceOf(PostgresUnavailable)
    await expect.poll(async () => (await pidsOf(database, 20)).size).toBe(1)
  })
})

describe('lookups that Postgres does not answer', () => {
  it('are unavailable in time, and the next ones are answered', async () => {
    const database = await sharing(gate.connection, 300)
    gate.stall()
    const asked = [database.one(lookup(1)), database.one(lookup(2))].map(failure)
    for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(PostgresUnavailable)
    gate.goOn()
    expect((await database.one(lookup(1))).number).toBe(12)
  })

  it('are cancelled by Postgres where it is at work on them, and those behind are answered', async () => {
    const database = await sharing(postgres.connection, 300)
    const [slow, behind] = [failure(database.one(slowLookup(30))), database.one(lookup(2))]
    expect(await slow).toMatchObject({ name: 'PostgresUnavailable', cause: { code: '57014' } })
    expect((await behind).number).toBe(6)
  })
})

describe('a database that is closed', () => {
  it('answers the lookups that wait, and refuses later ones', async () => {
    const database = await sharing(postgres.connection)
    const asked = [database.one(slowLookup(0.2)), database.one(lookup(2))]
    await database.close()
    expect((await Promise.all(asked)).map(({ number }) => number)).toEqual([0, 6])
    expect(await failure(database.one(lookup(1)))).toBeInstanceOf(PostgresUnavailable)
    on().cleanups.length = 0
  })
})
