import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { ColumnValue, Row } from '../../projections/runner/projection.ts'
import type { Column, Table } from '../../projections/runner/rows/table-columns.ts'
import type { TableBatch } from './row-states.ts'

/** One statement with its parameters, ready to be sent. */
export interface RawStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** The statements of one batch: for each table an upsert of whole rows and a delete by key, by unnest. */
export function rawStatements(
  batch: readonly TableBatch[],
  schemaOf: (table: Table) => string,
): readonly RawStatement[] {
  return batch.flatMap(({ table, puts, removals }) => [
    ...byColumns(puts).map((rows) => upsert(table, schemaOf(table), rows)),
    ...(removals.length > 0 ? [erasure(table, schemaOf(table), removals)] : []),
  ])
}

/** Sends the statements of each batch and its checkpoint in one transaction. */
export async function writeRaw(client: ClientBase, batches: readonly (readonly RawStatement[])[]): Promise<void> {
  for (const [position, statements] of batches.entries()) {
    await client.query('begin')
    for (const { name, text, values } of statements) await client.query({ name, text, values: [...values] })
    await client.query('update bench.checkpoint set position = $1', [position])
    await client.query('commit')
  }
}

/** Groups rows with the same columns: columns that a row does not name get their defaults. */
function byColumns(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const columns = Object.keys(row).toSorted().join()
    const group = groups.get(columns)
    if (group) group.push(row)
    else groups.set(columns, [row])
  }
  return [...groups.values()]
}

function upsert(table: Table, schema: string, rows: readonly Row[]): RawStatement {
  const columns = Object.keys(rows[0] ?? {}).toSorted()
  const written = columns.filter((column) => !table.key.includes(column))
  const action =
    written.length === 0 ? 'nothing' : `update set ${written.map((column) => `${column} = excluded.${column}`).join()}`
  const text = `insert into ${schema}.${table.name} (${columns.join()}) select ${columns.map((column) => cast(table, column)).join()}
    from ${source(table, columns)} on conflict (${table.key.join()}) do ${action}`
  return { name: nameOf(text), text, values: parameters(table, columns, rows) }
}

function erasure(table: Table, schema: string, rows: readonly Row[]): RawStatement {
  const text = `delete from ${schema}.${table.name} t using ${source(table, table.key)}
    where ${table.key.map((column) => `t.${column} = ${cast(table, column)}`).join(' and ')}`
  return { name: nameOf(text), text, values: parameters(table, table.key, rows) }
}

const nameOf = (text: string): string => `raw_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`

function source(table: Table, columns: readonly string[]): string {
  const arrays = columns.map(
    (column, index) =>
      `$${index + 1}::${columnOf(table, column).form === 'plain' ? columnOf(table, column).type : 'text'}[]`,
  )
  return `unnest(${arrays.join()}) v (${columns.join()})`
}

function cast(table: Table, column: string): string {
  const { form, type } = columnOf(table, column)
  return form === 'plain' ? `v.${column}` : `v.${column}::${type}`
}

function parameters(table: Table, columns: readonly string[], rows: readonly Row[]): readonly unknown[] {
  return columns.map((column) => rows.map((row) => valueOf(columnOf(table, column), row[column] ?? null)))
}

function valueOf({ form }: Column, value: ColumnValue): unknown {
  if (value === null || form === 'plain') return value
  if (form === 'json') return JSON.stringify(value)
  return Array.isArray(value) ? `{${value.map((element) => JSON.stringify(String(element))).join()}}` : value
}

function columnOf(table: Table, column: string): Column {
  const found = table.columns.get(column)
  if (!found) throw new Error(`Table ${table.name} has no column ${column}`)
  return found
}
