import { createHash } from 'node:crypto'
import type { KeyedChange, Layer } from './coalesce-changes.ts'
import type { ColumnValue, Row } from '../projection.ts'
import { quoted, type Table } from './table-columns.ts'

/** A statement and its parameters: one array for each column. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: readonly (readonly Cell[])[]
}

type Cell = string | number | boolean | null

/** More rows than this go into several statements, so that no parameter grows without bound. */
export const statementRows_max = 5000

type Kind = 'put' | 'patch' | 'add' | 'remove' | 'removeWhere'

/** Turns the changes of a table into statements. The text for each set of columns is made once. */
export type StatementWriter = (layers: readonly Layer[]) => readonly Statement[]

/** Makes the writer of one table. */
export function statementWriter(table: Table): StatementWriter {
  const shapes = new Map<string, Shape>()

  function shapeOf(kind: Kind, columns: readonly string[]): Shape {
    const name = `${kind} ${columns.join(' ')}`
    const known = shapes.get(name)
    if (known) return known
    const shape = newShape(table, kind, columns)
    shapes.set(name, shape)
    return shape
  }

  function* ofLayer({ rows, removals }: Layer): Iterable<Statement> {
    const groups = new Map<Shape, Row[]>()
    for (const change of rows.values()) {
      // A change without columns, which no statement can express.
      if (change.change === 'patch' && Object.keys(change.columns).length === 0) continue
      const row = rowOf(change)
      const shape = shapeOf(change.change, Object.keys(row))
      const group = groups.get(shape)
      if (group) group.push(row)
      else groups.set(shape, [row])
    }
    for (const [shape, group] of groups) yield* statements(shape, group)
    for (const { columns, values } of removals.values())
      yield* statements(shapeOf('removeWhere', columns), [...values.values()])
  }

  return (layers) => layers.flatMap((layer) => [...ofLayer(layer)])
}

function rowOf(change: KeyedChange): Row {
  switch (change.change) {
    case 'put':
      return change.row
    case 'patch':
      return { ...change.key, ...change.columns }
    case 'add':
      return { ...change.key, ...change.amounts }
    case 'remove':
      return change.key
  }
}

/** A statement without its parameters. */
interface Shape {
  readonly name: string
  readonly text: string
  readonly columns: readonly { readonly name: string; readonly cell: (value: ColumnValue) => Cell }[]
}

function newShape(table: Table, kind: Kind, columns: readonly string[]): Shape {
  const text = textOf(table, kind, columns)
  const name = `rows_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  return { name, text, columns: columns.map((column) => ({ name: column, cell: cells[columnOf(table, column).form] })) }
}

function* statements(shape: Shape, rows: readonly Row[]): Iterable<Statement> {
  for (let first = 0; first < rows.length; first += statementRows_max) {
    const part = rows.slice(first, first + statementRows_max)
    const values = shape.columns.map(({ name, cell }) => part.map((row) => cell(valueIn(row, name))))
    yield { name: shape.name, text: shape.text, values }
  }
}

/** A missing value is an error, not null: otherwise an event without a member would look like one with an empty member. */
function valueIn(row: Row, column: string): ColumnValue {
  const value = row[column]
  return value === undefined ? refuseMissing(column) : value
}

function textOf(table: Table, kind: Kind, columns: readonly string[]): string {
  const target = `${quoted(table.schema)}.${quoted(table.name)}`
  const written = columns.filter((column) => !table.key.includes(column))
  const source = `unnest(${columns.map((column, index) => `$${index + 1}::${parameterType(table, column)}[]`).join()}) as v (${list(columns)})`
  const insert = `insert into ${target} as t (${list(columns)}) select ${columns.map((column) => cast(table, column)).join()} from ${source}
on conflict (${list(table.key)})`
  switch (kind) {
    case 'put': {
      // A column that is not given takes its default, which is in `excluded`.
      const others = [...table.columns.keys()].filter((column) => !table.key.includes(column))
      return `${insert} ${updating(others, (column) => `excluded.${quoted(column)}`)}`
    }
    case 'add':
      return `${insert} ${updating(written, (column) => `t.${quoted(column)} + excluded.${quoted(column)}`)}`
    case 'patch':
      return `update ${target} as t set ${written.map((column) => `${quoted(column)} = ${cast(table, column)}`).join()} from ${source} where ${matching(table, table.key)}`
    case 'remove':
    case 'removeWhere':
      return `delete from ${target} as t using ${source} where ${matching(table, columns)}`
  }
}

function updating(columns: readonly string[], value: (column: string) => string): string {
  if (columns.length === 0) return 'do nothing'
  return `do update set ${columns.map((column) => `${quoted(column)} = ${value(column)}`).join()}`
}

function matching(table: Table, columns: readonly string[]): string {
  return columns.map((column) => `t.${quoted(column)} = ${cast(table, column)}`).join(' and ')
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join()
}

function columnOf(table: Table, column: string): { readonly type: string; readonly form: keyof typeof cells } {
  const found = table.columns.get(column)
  if (!found) throw new Error(`Table ${table.schema}.${table.name} has no column ${column}`)
  return found
}

function parameterType(table: Table, column: string): string {
  const { type, form } = columnOf(table, column)
  return form === 'plain' ? type : 'text'
}

function cast(table: Table, column: string): string {
  const { type, form } = columnOf(table, column)
  return form === 'plain' ? `v.${quoted(column)}` : `v.${quoted(column)}::${type}`
}

/** Arrays and JSON values are sent as text: unnest would flatten an array of arrays completely. */
const cells = {
  plain: (value: ColumnValue): Cell => (isCell(value) ? value : refuseValue(value)),
  array: (value: ColumnValue): Cell => (value === null ? null : arrayText(value)),
  json: (value: ColumnValue): Cell => (value === null ? null : JSON.stringify(value)),
}

function isCell(value: ColumnValue): value is Cell {
  return typeof value !== 'object' || value === null
}

function arrayText(value: ColumnValue): string {
  return Array.isArray(value) ? `{${value.map(elementText).join()}}` : refuseValue(value)
}

function elementText(value: ColumnValue): string {
  if (value === null) return 'NULL'
  if (!isCell(value)) return refuseValue(value)
  return `"${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function refuseMissing(column: string): never {
  throw new Error(`There is no value for column ${column}`)
}

function refuseValue(value: ColumnValue): never {
  throw new Error(`Not a value for its column: ${JSON.stringify(value)}`)
}
