import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptTables, leftSchemas, leftTables, otherwiseKept } from '../../cli/backup/beside-tables.ts'
import { migratedDatabase, type TestDatabase } from '../support/test-database.ts'

let place: TestDatabase
beforeAll(async () => {
  place = await migratedDatabase()
})
afterAll(() => place.close())

async function names(query: string): Promise<readonly string[]> {
  const { rows } = await place.database.pool.query<{ readonly name: string }>(query)
  return rows.map(({ name }) => name)
}

describe('every table beside history', () => {
  it('has its place in a backup, or a reason why it is not in it', async () => {
    const tables = await names(`
      select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not in ('pg_catalog', 'information_schema', 'job_queue') and n.nspname not like 'pg_%'`)
    const listed = [...keptTables, ...otherwiseKept, ...leftTables]
    expect(listed.map(({ name }) => name).toSorted()).toStrictEqual([...tables].toSorted())
    for (const { why } of [...listed, ...leftSchemas]) expect(why).not.toBe('')
  })

  it('that is kept has an order in which no two rows are equal, so that equal rows have equal digests', async () => {
    const orders: Record<string, string> = {}
    const primaryKeys: Record<string, string | undefined> = {}
    for (const { name, order } of keptTables) {
      const [keys] = await names(`
        select coalesce(string_agg(quote_ident(a.attname), ', ' order by k.turn), '') as name
        from pg_index i cross join unnest(i.indkey) with ordinality k (attnum, turn)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = '${name}'::regclass and i.indisprimary`)
      orders[name] = order.replaceAll(' collate "C"', '')
      primaryKeys[name] = keys
    }
    expect(orders).toStrictEqual(primaryKeys)
  })

  it('leaves out columns that begin with their defaults or with null', async () => {
    for (const { name, without = [] } of keptTables)
      for (const column of without) {
        const found = await names(`
          select attname as name from pg_attribute
          where attrelid = '${name}'::regclass and attname = '${column}' and (atthasdef or not attnotnull)`)
        expect(found).toStrictEqual([column])
      }
  })
})
