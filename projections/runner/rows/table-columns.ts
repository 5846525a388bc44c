import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { TableRules } from './coalesce-changes.ts'
import type { Projection } from '../projection.ts'

/** A table as it is in Postgres. */
export interface Table extends TableRules {
  readonly schema: string
  readonly name: string
  /** In the order of the table. */
  readonly columns: ReadonlyMap<string, Column>
}

export interface Column {
  /** The type's name in SQL. */
  readonly type: string
  /** How values are sent: as they are, as the text of an array, or as the text of a JSON value. */
  readonly form: 'plain' | 'array' | 'json'
}

const columnRow = z.object({
  schema: z.string(),
  table: z.string(),
  column: z.string(),
  type: z.string(),
  form: z.enum(['plain', 'array', 'json']),
  comparable: z.boolean(),
  in_key: z.boolean(),
})

/** Types whose values have only one text each, as long as ids are written without leading zeros. */
const comparableTypes = ['int2', 'int4', 'int8', 'text', 'bool']

/** A read model, and the schema that has tables of it. */
export interface ProjectionInSchema {
  readonly schema: string
  readonly projection: Projection
}

/**
 * The tables of read models, by schema and by name. Rejects if they are not as the projections declare them, and if a unique index
 * beside the primary key would make the order of rows within a batch matter. Reads all of them at once: a start asks for every
 * read model.
 */
export async function readTables(
  client: ClientBase,
  placed: readonly ProjectionInSchema[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Table>>> {
  const schemas = placed.map(({ schema }) => schema)
  const columns = await readColumns(client, schemas)
  await refuseUniqueIndexes(client, schemas)
  return new Map(placed.map(({ schema, projection }) => [schema, tablesOf(projection, schema, columns)]))
}

function tablesOf(
  projection: Projection,
  schema: string,
  columns: readonly z.output<typeof columnRow>[],
): ReadonlyMap<string, Table> {
  const tables = Object.entries(projection.keys).map(([name, key]): [string, Table] => {
    const own = columns.filter((column) => column.schema === schema && column.table === name)
    const primaryKey = own.filter(({ in_key }) => in_key).map(({ column }) => column)
    if (primaryKey.toSorted().join() !== key.toSorted().join()) {
      throw new Error(
        `Table ${name} of ${projection.name} has the primary key (${primaryKey.join()}), not (${key.join()})`,
      )
    }
    const comparable = own.filter((column) => column.comparable).map(({ column }) => column)
    const types = own.map(({ column, type, form }): [string, Column] => [column, { type, form }])
    return [name, { schema, name, key, comparable: new Set(comparable), columns: new Map(types) }]
  })
  return new Map(tables)
}

async function readColumns(
  client: ClientBase,
  schemas: readonly string[],
): Promise<readonly z.output<typeof columnRow>[]> {
  const { rows } = await client.query(
    `select n.nspname as schema, c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
       case when t.typcategory = 'A' then 'array' when t.typname in ('json', 'jsonb') then 'json' else 'plain' end as form,
       t.typname = any($2::text[]) as comparable,
       coalesce(a.attnum = any(i.indkey), false) as in_key
     from pg_catalog.pg_class c
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_catalog.pg_type t on t.oid = a.atttypid
     left join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary
     where n.nspname = any($1::name[]) and c.relkind = 'r'
     order by n.nspname, c.relname, a.attnum`,
    [schemas, comparableTypes],
  )
  return z.array(columnRow).parse(rows)
}

async function refuseUniqueIndexes(client: ClientBase, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query(
    `select i.indexrelid::regclass::text as index
     from pg_catalog.pg_index i
     join pg_catalog.pg_class c on c.oid = i.indrelid
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1::name[]) and i.indisunique and not i.indisprimary`,
    [schemas],
  )
  const [found] = z.array(z.object({ index: z.string() })).parse(rows)
  if (found) throw new Error(`A read model has no unique index but its primary keys: ${found.index}`)
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
