import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Queries, Query, RowReader } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { KeptTable } from './beside-tables.ts'
import type { TableCount } from './format.ts'

/**
 * The lines of `tables.jsonl`:
 *
 * - `table`: the name of a table, and its columns. The lines with its rows follow.
 * - `rows`: some rows. A row is a list of the values of its columns as Postgres writes them, or null.
 * - `follower`: how far a follower has come: the event that it handled last, or null if none.
 */
const tableLine = z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()).min(1) })
const row = z.array(z.string().nullable())
const rowsLine = z.object({ kind: z.literal('rows'), rows: z.array(row) })
const eventName = z.object({ stream: z.string(), revision: z.int().min(0) })
const followerLine = z.object({ kind: z.literal('follower'), name: z.string(), event: eventName.nullable() })

export const lineOfTables = z.discriminatedUnion('kind', [tableLine, rowsLine, followerLine])
export type LineOfTables = z.output<typeof lineOfTables>
export type FollowerLine = z.output<typeof followerLine>
export type Row = z.output<typeof row>

/** Postgres then writes values in the same form everywhere. */
export const exactSession = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'iso_8601',
  bytea_output: 'hex',
} as const

const fetchedRows = 100
const line_chars_max = 1_000_000

/** A statement over names of tables and columns, which come from the list of tables or the catalog. */
export function statement<Result>(
  reader: RowReader<Result>,
  text: string,
  values: readonly string[] = [],
): Query<Result> {
  return { ...sql.type(reader)``, name: '', sql: text, values }
}

const columnRow = z.object({ name: z.string(), type: z.string(), quoted: z.string(), identity: z.boolean() })
export type Column = z.output<typeof columnRow>

/** The columns of a table, in their order. */
export function columnsOf(queries: Queries, table: string): Promise<readonly Column[]> {
  return queries.any(sql.type(columnRow)`
    select attname as name, format_type(atttypid, atttypmod) as type, quote_ident(attname) as quoted,
      attidentity <> '' as identity
    from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`)
}

const nothing = z.object({})
const fetchedRow = z.object({ values: row }).transform(({ values }) => values)

/** The rows of a table, in pages, from one transaction. */
export async function* rowsOf(
  queries: Queries,
  { name, order }: Pick<KeptTable, 'name' | 'order'>,
  columns: readonly Column[],
): AsyncGenerator<readonly Row[]> {
  const values = columns.map(({ quoted }) => `${quoted}::text`).join(', ')
  const select = `select json_build_array(${values}) as values from ${name} order by ${order}`
  await queries.any(statement(nothing, `declare kept no scroll cursor for ${select}`))
  for (;;) {
    const rows = await queries.any(statement(fetchedRow, `fetch ${fetchedRows} from kept`))
    if (rows.length === 0) break
    yield rows
  }
  await queries.any(statement(nothing, 'close kept'))
}

/** The lines of one table, each with its newline. Gives the count and the digest of its rows. */
export async function* tableText(queries: Queries, table: KeptTable): AsyncGenerator<string, TableCount> {
  const columns = keptColumns(table, await columnsOf(queries, table.name))
  const digest = rowDigest()
  yield textOf({ kind: 'table', name: table.name, columns: columns.map(({ name }) => name) })
  for await (const rows of rowsOf(queries, table, columns)) {
    digest.add(rows)
    yield* rowsText(rows)
  }
  return { name: table.name, ...digest.done() }
}

export function keptColumns(
  { without = [] }: Pick<KeptTable, 'without'>,
  columns: readonly Column[],
): readonly Column[] {
  return columns.filter(({ name }) => !without.includes(name))
}

/** Lines of about `line_chars_max` at most, unless one row alone is longer. */
function* rowsText(rows: readonly Row[]): Generator<string> {
  let open: Row[] = []
  let chars = 0
  for (const each of rows) {
    open.push(each)
    chars += each.reduce((sum, value) => sum + (value?.length ?? 0), 0)
    if (chars < line_chars_max) continue
    yield textOf({ kind: 'rows', rows: open })
    open = []
    chars = 0
  }
  if (open.length > 0) yield textOf({ kind: 'rows', rows: open })
}

export function textOf(line: LineOfTables): string {
  return `${JSON.stringify(line)}\n`
}

/** Counts rows and takes their SHA-256, in their order. */
export function rowDigest() {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(rows: readonly Row[]): void {
      for (const each of rows) hash.update(`${JSON.stringify(each)}\n`)
      count += rows.length
    },
    done: (): Omit<TableCount, 'name'> => ({ rows: count, sha256: hash.copy().digest('hex') }),
  }
}
