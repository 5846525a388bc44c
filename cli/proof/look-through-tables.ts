import type { PoolClient, QueryResult } from 'pg'
import type { PostgresDatabase } from '../../adapters/postgres/database.ts'
import type { Looking, LookedThrough } from './look-through-events.ts'

export interface LookedThroughTable extends LookedThrough {
  /** As `schema.table`. */
  readonly table: string
}

interface Table {
  readonly schema: string
  readonly name: string
  /** The table that it is a part of, or itself; as `schema.table`. */
  readonly whole: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly key: readonly string[]
}

const page_rows = 500

/** Every table with rows that the database has, whoever made it: partitions by themselves, materialised views too. */
const catalogue = `
  select n.nspname as schema, c.relname as name,
    (select format('%s.%s', rn.nspname, r.relname) from pg_class r join pg_namespace rn on rn.oid = r.relnamespace
      where r.oid = coalesce(pg_partition_root(c.oid), c.oid)) as whole,
    (select json_agg(json_build_object('name', a.attname, 'type', a.atttypid::regtype::text) order by a.attnum)
      from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select json_agg(a.attname order by a.attnum) from pg_index i
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary), '[]') as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'
  order by 1, 2`

/**
 * Looks through every row of every table that the catalogue of Postgres names: each column by itself, bytes as bytes and all else
 * as text. Leaves out tables that are looked through as something else.
 */
export async function lookThroughTables(
  { pool }: Pick<PostgresDatabase, 'pool'>,
  without: readonly string[],
  looking: Looking,
): Promise<readonly LookedThroughTable[]> {
  const { rows: tables } = await pool.query<Table>(catalogue)
  const looked: LookedThroughTable[] = []
  for (const [index, table] of tables.entries()) {
    looking.signal.throwIfAborted()
    const onProgress: Looking['onProgress'] = (_, text) => looking.onProgress(index / tables.length, text)
    if (!table.columns || without.includes(table.whole)) continue
    const client = await pool.connect()
    try {
      looked.push({
        table: `${table.schema}.${table.name}`,
        ...(await lookThroughTable(client, table, { ...looking, onProgress })),
      })
    } finally {
      client.release()
    }
  }
  return looked
}

type Cells = Readonly<Record<string, string | Buffer | null>>

async function lookThroughTable(client: PoolClient, table: Table, looking: Looking): Promise<LookedThrough> {
  const { signal, onProgress } = looking
  let [count, bytes] = [0, 0]
  await client.query('begin transaction isolation level repeatable read, read only')
  try {
    await client.query(`declare looked no scroll cursor for ${selection(table)}`)
    for (;;) {
      signal.throwIfAborted()
      const { rows }: QueryResult<Cells> = await client.query(`fetch ${page_rows} from looked`)
      for (const row of rows) bytes += lookThroughRow(row, table, looking)
      count += rows.length
      onProgress(0, `${table.schema}.${table.name}: ${count} rows`)
      if (rows.length < page_rows) return { count, bytes }
    }
  } catch (error) {
    // A read model was swapped, or the queue has made its tables anew: what replaced it is in the catalogue of the next proof.
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return { count, bytes }
    throw error
  } finally {
    await client.query('rollback')
  }
}

const undefinedTable = '42P01'
const rowColumn = 'guildhall_row'

function selection({ schema, name, columns }: Table): string {
  const shown = columns.map(({ name: column, type }) => {
    const quoted = quote(column)
    return type === 'bytea' ? quoted : `${quoted}::text as ${quoted}`
  })
  return `select ctid::text as ${rowColumn}, ${shown.join(', ')} from ${quote(schema)}.${quote(name)}`
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Gives the number of bytes. */
function lookThroughRow(
  row: Cells,
  { schema, name, whole, columns, key }: Table,
  { finder, findings }: Looking,
): number {
  let bytes = 0
  for (const { name: column } of columns) {
    const cell = row[column]
    if (cell === null || cell === undefined) continue
    const content = typeof cell === 'string' ? Buffer.from(cell, 'utf8') : cell
    bytes += content.length
    for (const found of finder.in(content)) {
      const keys = key.map((part) => `${part} ${shownKey(row[part])}`).join(', ')
      const isTold = key.length === 0 || key.some((part) => holdsValue(row[part]))
      const where = isTold ? `row ${String(row[rowColumn])}` : keys
      findings.add(found, {
        area: 'tables',
        table: whole,
        container: `${schema}.${name}`,
        detail: `${where}, column ${column}`,
      })
    }
  }
  return bytes

  function holdsValue(part: Cells[string] | undefined): boolean {
    return part !== null && part !== undefined && finder.in(Buffer.from(shownKey(part), 'utf8')).length > 0
  }
}

function shownKey(part: Cells[string] | undefined): string {
  return Buffer.isBuffer(part) ? part.toString('hex') : String(part)
}
