import type { Pool } from 'pg'
import { z } from 'zod'
import { readModels } from '../../../projections/read-models.ts'

/** A backup of the rows of all read models, with their checkpoints. It contains nothing else of the database. */
export interface KeptRows {
  /** Restores the rows of some read models, or of all, in one transaction. Call it while nobody projects. */
  restore(names?: readonly string[]): Promise<void>
}

const tableRows = z.array(z.object({ schema: z.string(), table: z.string(), columns: z.string() }))
type Table = z.infer<typeof tableRows>[number]

/** Copies the rows as of one moment. A projector may run meanwhile. */
export async function keepRows(pool: Pool): Promise<KeptRows> {
  const names = readModels.map(({ name }) => name)
  const tables = await tablesOf(pool, names)
  const checkpoints = 'kept.checkpoints'
  await inTransaction(pool, [
    'set transaction isolation level repeatable read',
    'drop schema if exists kept cascade',
    'create schema kept',
    `create table ${checkpoints} as select * from read_models.checkpoints`,
    ...tables.map((table) => `create table ${keptAs(table)} as select ${table.columns} from ${nameOf(table)}`),
  ])
  return {
    async restore(wanted = names) {
      const theirs = tables.filter(({ schema }) => wanted.includes(schema))
      const schemas = wanted.map((name) => `'${name}'`).join()
      await inTransaction(pool, [
        `truncate ${theirs.map(nameOf).join()}`,
        ...theirs.map(
          (table) =>
            `insert into ${nameOf(table)} (${table.columns}) overriding system value select ${table.columns} from ${keptAs(table)}`,
        ),
        `delete from read_models.checkpoints where schema in (${schemas})`,
        `insert into read_models.checkpoints select * from ${checkpoints} where schema in (${schemas})`,
      ])
    },
  }
}

/** Lists only the columns that are written, not those that Postgres computes. */
async function tablesOf(pool: Pool, schemas: readonly string[]): Promise<readonly Table[]> {
  const { rows } = await pool.query(
    `select c.table_schema as schema, c.table_name as table,
       string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = any ($1) and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
     group by 1, 2`,
    [schemas],
  )
  return tableRows.parse(rows)
}

const nameOf = ({ schema, table }: Table): string => `"${schema}"."${table}"`
const keptAs = ({ schema, table }: Table): string => `kept."${schema} ${table}"`

async function inTransaction(pool: Pool, statements: readonly string[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}
