import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { planEachTime, planOnce } from '../../../projections/runner/plan-modes.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let client: PoolClient

beforeEach(async () => {
  test = await testDatabase()
  client = await test.database.pool.connect()
  await client.query('create table tallies (name text primary key, total int4 not null)')
})

afterEach(async () => {
  client.release(true)
  await test.close()
})

/** Like the statements of projectors: rows of a batch in arrays. */
const update = {
  name: 'update',
  text: `update tallies as t set total = v.total from unnest($1::text[], $2::int4[]) as v (name, total) where t.name = v.name`,
  values: [['name1'], [1]],
}

async function grow(): Promise<void> {
  await client.query(`insert into tallies select 'name' || n, 0 from generate_series(1, 20000) n`)
}

async function planOf(): Promise<string> {
  const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
    `explain execute "update" ('{name1,name2}', '{1,2}')`,
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

async function plansMade(): Promise<unknown> {
  const { rows } = await client.query(
    `select generic_plans::int4 as once, custom_plans::int4 as each from pg_prepared_statements where name = 'update'`,
  )
  return rows[0]
}

describe('a connection for live batches', () => {
  it('plans a statement once, by the index, though its table was empty then', async () => {
    await planOnce(client)
    await client.query(update)
    await grow()
    for (let turn = 0; turn < 9; turn += 1) await client.query(update)
    expect(await plansMade()).toStrictEqual({ once: 10, each: 0 })
    const plan = await planOf()
    expect(plan).toContain('Index Scan using tallies_pkey')
    expect(plan).not.toContain('Seq Scan')
  })

  it('plans each time again when it builds, where the whole table may be the quicker way', async () => {
    await planOnce(client)
    await client.query(update)
    await planEachTime(client)
    for (let turn = 0; turn < 3; turn += 1) await client.query(update)
    expect(await plansMade()).toStrictEqual({ once: 1, each: 3 })
    const { rows } = await client.query(`select current_setting('enable_seqscan') as allowed`)
    expect(rows).toStrictEqual([{ allowed: 'on' }])
  })
})
