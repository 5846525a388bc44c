import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { PostgresUnavailable } from '../../../adapters/postgres/postgres-unavailable.ts'
import type { Piece } from '../../../application/ports/database.ts'
import { plannedForItsValues } from '../../../application/sql/planned-for-its-values.ts'
import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import { gatedPostgres, type GatedPostgres } from './gated-postgres.ts'

const on = gatedPostgres()
let postgres: GatedPostgres['postgres']
let gate: GatedPostgres['gate']
beforeEach(() => {
  ;({ postgres, gate } = on())
})

/** A database whose reads of one turn share a connection. */
function sharing(connection: PostgresConnection, answer_ms_max = 5000): PostgresDatabase {
  const database = openDatabase(connection, { connections_max: 3, answer_ms_max, sharesReads: true })
  on().cleanups.push(() => database.close())
  return database
}

const anything = rowOf((row: Readonly<Record<string, unknown>>) => row)
const numbered = z.object({ number: z.int(), pid: z.int() })
const twelfth = (number: number) =>
  sql.type(numbered)`select 12 / ${number}::int4 as number, pg_backend_pid()::int4 as pid`
const slow = (seconds: number) =>
  sql.type(numbered)`select 0 as number, pg_backend_pid()::int4 as pid from pg_sleep(${seconds})`
const failure = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => new Error('It did not fail'),
    (error: unknown) => error,
  )

describe('a statement', () => {
  it('includes pieces, and pieces within them, with their values in their places', async () => {
    const inner = sql.fragment`'b' = ${'b'}`
    const outer: Piece = sql.fragment`'a' = ${'a'} and (${inner} or ${inner})`
    const conditions = sql.join(
      [outer, sql.fragment`${2}::int4 = any(${sql.array(['1', '2'], 'int4')})`],
      sql.fragment` and `,
    )
    const query = sql.type(anything)`select ${"'; drop table x; --"}::text as text, ${null}::text as none,
      ${sql.binary(Buffer.from('x'))}::bytea as bytes where ${conditions} limit ${9}`
    expect(await postgres.database.any(query)).toEqual([
      { text: "'; drop table x; --", none: null, bytes: Buffer.from('x') },
    ])
  })
  it('is kept prepared by its text, but for one that is planned for its values', async () => {
    const database = openDatabase(postgres.connection, { connections_max: 1 })
    on().cleanups.push(() => database.close())
    const query = (number: number) => sql.type(anything)`select ${number}::int4 as kept`
    const unnamed = (number: number) => plannedForItsValues(sql.type(anything)`select ${number}::int4 as planned`)
    for (const number of [1, 2]) {
      expect(await database.one(query(number))).toEqual({ kept: number })
      expect(await database.one(unnamed(number))).toEqual({ planned: number })
    }
    const { rows } = await database.pool.query(
      `select statement from pg_prepared_statements where statement ~ 'as (kept|planned)'`,
    )
    expect(rows).toEqual([{ statement: 'select $1::int4 as kept' }])
  })
  it('gives one row, at most one, or any', async () => {
    const rows = (count: number) => sql.type(anything)`select n from generate_series(1, ${count}::int4) n`
    const { database } = postgres
    expect(await database.any(rows(2))).toEqual([{ n: 1 }, { n: 2 }])
    expect(await database.maybeOne(rows(0))).toBeUndefined()
    expect(await database.maybeOne(rows(1))).toEqual({ n: 1 })
    expect(await database.one(rows(1))).toEqual({ n: 1 })
    const wrong = [database.maybeOne(rows(2)), database.one(rows(2)), database.one(rows(0))]
    for (const error of await Promise.all(wrong.map(failure)))
      expect(error).toMatchObject({ message: expect.stringContaining('generate_series(1, $1::int4)') })
  })
  it('never tells its values where its rows are others than expected', async () => {
    const secret = 'a very secret value'
    const two = sql.type(anything)`select ${secret}::text as text from generate_series(1, 2)`
    const wrong = sql.type(z.object({ text: z.int() }))`select ${secret}::text as text`
    for (const error of [await failure(postgres.database.one(two)), await failure(postgres.database.one(wrong))]) {
      expect(error).toBeInstanceOf(Error)
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(secret)
    }
  })
})

describe('reads that are asked for in the same turn', () => {
  it('share a connection, and each gets its own answer or its own error', async () => {
    const database = sharing(postgres.connection)
    const [before, wrong, after] = await Promise.allSettled([2, 0, 3].map((number) => database.one(twelfth(number))))
    expect(before).toMatchObject({ value: { number: 6 } })
    expect(wrong).toMatchObject({ reason: { code: '22012' } })
    expect(after).toMatchObject({ value: { number: 4 } })
    const all = await Promise.all([1, 2, 3, 4, 6, 12].map((number) => database.one(twelfth(number))))
    expect(all.map(({ number }) => number)).toEqual([12, 6, 4, 3, 2, 1])
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(1)
  })
  it('take a second connection where they are many', async () => {
    const database = sharing(postgres.connection)
    const nine = await Promise.all(Array.from({ length: 9 }, () => database.one(twelfth(1))))
    expect(new Set(nine.map(({ pid }) => pid)).size).toBe(2)
  })
  it('hold up none of a later turn, nor a write, however slow one of them is', async () => {
    const database = sharing(postgres.connection)
    let isOver = false
    const sleeping = database.one(slow(3)).finally(() => (isOver = true))
    await new Promise((resolve) => void setImmediate(resolve))
    await database.any(sql.type(anything)`create temporary table notes (number int4)`)
    await database.one(twelfth(1))
    expect(isOver).toBe(false)
    await sleeping
  })
  it('are apart from those of a transaction', async () => {
    const database = sharing(postgres.connection)
    const [found, beside] = await database.transaction(async (queries) => {
      await queries.any(sql.type(anything)`create table notes (number int4)`)
      return Promise.all([queries.one(twelfth(1)), database.one(twelfth(1))])
    })
    expect(found.pid).not.toBe(beside.pid)
  })
  it('are unavailable where their connection is lost, or Postgres answers no more, and are answered later', async () => {
    const database = sharing(gate.connection, 300)
    await database.one(twelfth(1))
    gate.stall()
    const late = await Promise.all([failure(database.one(twelfth(1))), failure(database.one(twelfth(2)))])
    gate.goOn()
    expect(await database.one(twelfth(1))).toMatchObject({ number: 12 })
    await gate.shut()
    const lost = await Promise.all([failure(database.one(twelfth(1))), failure(database.one(twelfth(2)))])
    await gate.open()
    for (const error of [...late, ...lost]) expect(error).toBeInstanceOf(PostgresUnavailable)
    expect(await database.one(twelfth(1))).toMatchObject({ number: 12 })
  })
})
