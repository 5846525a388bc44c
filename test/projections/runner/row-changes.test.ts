import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RowChange } from '../../../projections/runner/projection.ts'
import { coalesce } from '../../../projections/runner/rows/coalesce-changes.ts'
import {
  statementRows_max,
  statementWriter,
  type StatementWriter,
} from '../../../projections/runner/rows/row-statements.ts'
import { readTables, type Table } from '../../../projections/runner/rows/table-columns.ts'
import { property } from '../../support/property.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'
import { changes, columns, createTable, defaults, key } from './changes.ts'
import { modelTable } from './model-table.ts'

const projection = {
  name: 'things',
  answers: '',
  version: 1,
  tables: new URL(import.meta.url),
  keys: { things: [...key] },
  handles: [],
  project: () => [],
}
const rules = { key, comparable: new Set(['place', 'number', 'colour', 'total', 'flag']) }

const histories = fc.array(changes, { maxLength: 30, size: 'max' })

function batchesOf(all: readonly RowChange[], size: number): readonly (readonly RowChange[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}

function modelOf(all: readonly RowChange[]) {
  const model = modelTable(key, defaults)
  for (const change of all) model.carryOut(change)
  return model.rows
}

describe('coalesced changes', () => {
  property('leave the same rows as the changes one by one', histories, (all) => {
    const model = modelTable(key, defaults)
    for (const { rows, removals } of coalesce(all, rules)) {
      // In reverse order, because their order must not matter.
      for (const change of [...rows.values()].toReversed()) model.carryOut(change)
      for (const { values } of removals.values()) {
        for (const row of values.values()) model.carryOut({ change: 'removeWhere', table: 'things', columns: row })
      }
    }
    expect(model.rows).toStrictEqual(modelOf(all))
  })

  it('are one layer if removals and rows cannot meet', () => {
    const byColour = Array.from({ length: 100 }, (_, number): RowChange[] => [
      { change: 'put', table: 'things', row: { place: '1', number, colour: `colour ${number}`, total: 1 } },
      { change: 'patch', table: 'things', key: { place: '1', number }, columns: { flag: true } },
      { change: 'removeWhere', table: 'things', columns: { colour: `colour ${number}` } },
      { change: 'remove', table: 'things', key: { place: '1', number: number - 1 } },
      { change: 'put', table: 'things', row: { place: '2', number, colour: null } },
    ])
    const byPlace = Array.from({ length: 100 }, (_, number): RowChange[] => [
      { change: 'add', table: 'things', key: { place: '2', number }, amounts: { total: 2 } },
      { change: 'add', table: 'things', key: { place: '2', number }, amounts: { total: 2 } },
      { change: 'removeWhere', table: 'things', columns: { place: '3' } },
    ])
    expect(coalesce(byColour.flat(), rules)).toHaveLength(1)
    expect(coalesce(byPlace.flat(), rules)).toHaveLength(1)
  })

  it('are refused without their whole key, with another key in a patch, and for removals without a condition', () => {
    const refused: RowChange[] = [
      { change: 'put', table: 'things', row: { place: '1' } },
      { change: 'remove', table: 'things', key: { number: 1 } },
      { change: 'patch', table: 'things', key: { place: '1', number: 1 }, columns: { number: 2 } },
      { change: 'removeWhere', table: 'things', columns: {} },
      { change: 'removeWhere', table: 'things', columns: { colour: null } },
    ]
    for (const change of refused) expect(() => coalesce([change], rules)).toThrow(/key|columns/)
  })
})

describe('statements', () => {
  let database: TestDatabase
  let client: pg.PoolClient
  let table: Table
  let write: StatementWriter

  beforeAll(async () => {
    database = await testDatabase()
    client = await database.database.pool.connect()
    await client.query('create schema things')
    await client.query(createTable.replace('things', 'things.things'))
    const found = (await readTables(client, [{ schema: 'things', projection }])).get('things')?.get('things')
    if (!found) throw new Error('no table')
    table = found
    write = statementWriter(table)
  })

  afterAll(async () => {
    client.release()
    await database.close()
  })

  async function carryOut(batch: readonly RowChange[]): Promise<void> {
    for (const { name, text, values } of write(coalesce(batch, table)))
      await client.query({ name, text, values: [...values] })
  }

  const select = `select ${columns.join()} from things.things order by place, number`
  const inOrder = (rows: Iterable<object>): readonly string[] => {
    const texts = [...rows].map((row) => JSON.stringify(columns.map((column) => Reflect.get(row, column))))
    return texts.toSorted()
  }

  it('knows the columns of the table', () => {
    expect(table.columns.get('place')).toStrictEqual({ type: 'bigint', form: 'plain' })
    expect(table.columns.get('tags')).toStrictEqual({ type: 'text[]', form: 'array' })
    expect(table.columns.get('body')).toStrictEqual({ type: 'jsonb', form: 'json' })
    expect(table.comparable).toStrictEqual(new Set(['place', 'number', 'colour', 'total', 'flag']))
  })

  it('leave the same rows for batches of any size', async () => {
    const property = fc.asyncProperty(histories, async (all) => {
      const expected = inOrder(modelOf(all).values())
      for (const size of new Set([1, 2, 3, 5, 8, Math.max(all.length, 1)])) {
        await client.query('delete from things.things')
        for (const batch of batchesOf(all, size)) await carryOut(batch)
        const { rows } = await client.query(select)
        expect(inOrder(rows), `in batches of ${size}`).toStrictEqual(expected)
      }
    })
    await fc.assert(property, { numRuns: 40, includeErrorInReport: true })
  })

  it('go in parts when there are many rows', async () => {
    await client.query('delete from things.things')
    const rows = Array.from({ length: statementRows_max + 1 }, (_, number): RowChange => ({
      change: 'put',
      table: 'things',
      row: { place: '1', number },
    }))
    expect(write(coalesce(rows, table)).map(({ values }) => values[0]?.length)).toStrictEqual([statementRows_max, 1])
    await carryOut(rows)
    expect((await client.query('select count(*)::int4 as count from things.things')).rows).toStrictEqual([
      { count: statementRows_max + 1 },
    ])
  })

  it('refuse unknown columns, and values that are missing or of another type', () => {
    const row = { place: '1', number: 1 }
    const lacking = JSON.parse('{}') as { readonly colour: string }
    expect(() =>
      write(coalesce([{ change: 'put', table: 'things', row: { ...row, colour: lacking.colour } }], table)),
    ).toThrow(/no value for column colour/)
    expect(() => write(coalesce([{ change: 'put', table: 'things', row: { ...row, size: 1 } }], table))).toThrow(
      /no column size/,
    )
    expect(() => write(coalesce([{ change: 'put', table: 'things', row: { ...row, colour: ['a'] } }], table))).toThrow(
      /Not a value/,
    )
    expect(() => write(coalesce([{ change: 'put', table: 'things', row: { ...row, tags: 'a' } }], table))).toThrow(
      /Not a value/,
    )
  })

  it('need tables with the declared keys, and rows that depend on no other', async () => {
    const other = { ...projection, keys: { things: ['place'] } }
    await expect(readTables(client, [{ schema: 'things', projection: other }])).rejects.toThrow(
      /primary key \(place,number\)/,
    )
    await client.query('create unique index one_colour on things.things (colour)')
    await expect(readTables(client, [{ schema: 'things', projection }])).rejects.toThrow(/unique index/)
    await client.query('drop index things.one_colour')
  })
})
