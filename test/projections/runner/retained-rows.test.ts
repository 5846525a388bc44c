import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patch, put, removeWhere, type Retention, type RowChange } from '../../../projections/runner/projection.ts'
import { coalesce } from '../../../projections/runner/rows/coalesce-changes.ts'
import { removalsBeyond } from '../../../projections/runner/rows/retained-rows.ts'
import { statementWriter } from '../../../projections/runner/rows/row-statements.ts'
import { readTables, type Table } from '../../../projections/runner/rows/table-columns.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'

const retention: Retention = { group: 'owner', newestBy: 'ended', rows_max: 2 }
const projection = {
  name: 'lives',
  answers: '',
  version: 1,
  tables: new URL(import.meta.url),
  keys: { lives: ['id'] },
  handles: [],
  project: () => [],
}

/** A thing of an owner, which begins, and may end at an instant. */
interface Life {
  readonly id: string
  readonly owner: string
  readonly ended: number | null
}

const lives = fc
  .array(fc.record({ owner: fc.constantFrom('one', 'two'), ended: fc.option(fc.integer({ min: 0, max: 5 })) }), {
    maxLength: 12,
  })
  .map((all) => all.map((life, index): Life => ({ ...life, id: `life ${index}` })))

const beginning = ({ id, owner }: Life): RowChange => put('lives', { id, owner })
const ending = ({ id, ended }: Life): readonly RowChange[] =>
  ended === null ? [] : [patch('lives', { id }, { ended })]

/** What is to stay: all that live, and of each owner those two that ended last. */
function kept(all: readonly Life[]): readonly string[] {
  const beyond = ['one', 'two'].flatMap((owner) =>
    all
      .filter((life) => life.owner === owner && life.ended !== null)
      .toSorted((a, b) => (b.ended ?? 0) - (a.ended ?? 0) || (a.id < b.id ? -1 : 1))
      .slice(retention.rows_max),
  )
  return all.filter((life) => !beyond.includes(life)).map(({ id }) => id)
}

describe('rows that a table does not keep', () => {
  let database: TestDatabase
  let client: pg.PoolClient
  let table: Table

  beforeAll(async () => {
    database = await testDatabase()
    client = await database.database.pool.connect()
    await client.query('create schema lives')
    await client.query(`create table lives.lives (id text collate "C" primary key, owner text not null, ended int4)`)
    const found = (await readTables(client, [{ schema: 'lives', projection }])).get('lives')?.get('lives')
    if (!found) throw new Error('no table')
    table = found
  })

  afterAll(async () => {
    client.release()
    await database.close()
  })

  async function carryOut(batch: readonly RowChange[]): Promise<void> {
    for (const { name, text, values } of statementWriter(table)(coalesce(batch, table)))
      await client.query({ name, text, values: [...values] })
    for (const { name, text, values } of removalsBeyond(table, retention, batch))
      await client.query({ name, text, values: [...values] })
  }

  async function ids(): Promise<readonly string[]> {
    const { rows } = await client.query<{ readonly id: string }>('select id from lives.lives')
    return rows.map(({ id }) => id).toSorted()
  }

  it('go, and the same ones stay for batches of any size', async () => {
    const property = fc.asyncProperty(lives, fc.integer({ min: 1, max: 8 }), async (all, size) => {
      await client.query('delete from lives.lives')
      const changes = [...all.map(beginning), ...all.flatMap(ending)]
      for (let from = 0; from < changes.length; from += size) await carryOut(changes.slice(from, from + size))
      expect(await ids()).toStrictEqual(kept(all).toSorted())
    })
    await fc.assert(property, { numRuns: 60, includeErrorInReport: true })
  })

  it('are looked for only where a row gets its place in the order', () => {
    const changes = [put('lives', { id: 'a', owner: 'one' }), patch('lives', { id: 'a' }, { owner: 'two' })]
    expect(removalsBeyond(table, retention, [...changes, removeWhere('lives', { owner: 'one' })])).toStrictEqual([])
    expect(removalsBeyond(table, retention, [patch('lives', { id: 'a' }, { ended: 1 })])).toHaveLength(1)
    expect(removalsBeyond(table, retention, [put('lives', { id: 'a', owner: 'one', ended: 1 })])).toHaveLength(1)
  })
})
