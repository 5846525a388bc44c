import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { ColumnValue, Projection, Row, RowChange } from '../../projections/runner/projection.ts'
import type { Table } from '../../projections/runner/rows/table-columns.ts'

/** The result of a batch of events for one table: whole rows to write, and keys to remove. */
export interface TableBatch {
  readonly table: Table
  readonly puts: readonly Row[]
  readonly removals: readonly Row[]
}

interface TableState {
  readonly table: Table
  readonly rows: Map<string, Row>
  /** Keys that the current batch has touched. */
  touched: Map<string, Row>
}

/**
 * Works out, without a database, which rows each batch of events writes. It applies each change by its plain meaning, without
 * clever grouping: it is the reference for the runner's own way.
 */
export function rowBatches(
  models: readonly { readonly projection: Projection; readonly tables: ReadonlyMap<string, Table> }[],
  batches: readonly (readonly RecordedEvent[])[],
): readonly (readonly TableBatch[])[] {
  const states = models.map(({ projection, tables }) => ({
    projection,
    tables: new Map(
      [...tables].map(([name, table]): [string, TableState] => [name, { table, rows: new Map(), touched: new Map() }]),
    ),
  }))
  const all = states.flatMap(({ tables }) => [...tables.values()])
  return batches.map((events) => {
    for (const state of all) state.touched = new Map()
    for (const event of events) {
      for (const { projection, tables } of states) {
        for (const change of projection.project(event)) apply(tables.get(change.table), change)
      }
    }
    return all.filter(({ touched }) => touched.size > 0).map(batchOf)
  })
}

function batchOf({ table, rows, touched }: TableState): TableBatch {
  const puts: Row[] = []
  const removals: Row[] = []
  for (const [key, columns] of touched) {
    const row = rows.get(key)
    if (row) puts.push(row)
    else removals.push(columns)
  }
  return { table, puts, removals }
}

function apply(state: TableState | undefined, change: RowChange): void {
  if (!state) throw new Error(`There is no table ${change.table}`)
  switch (change.change) {
    case 'put':
      return write(state, change.row)
    case 'patch': {
      const row = state.rows.get(keyOf(state.table, change.key))
      return row && write(state, { ...row, ...change.columns })
    }
    case 'add': {
      const row = state.rows.get(keyOf(state.table, change.key)) ?? change.key
      const sums = Object.entries(change.amounts).map(([column, amount]): [string, number] => [
        column,
        Number(row[column] ?? 0) + amount,
      ])
      return write(state, { ...row, ...Object.fromEntries(sums) })
    }
    case 'remove':
      return erase(state, keyOf(state.table, change.key), change.key)
    case 'removeWhere': {
      const wanted = Object.entries(change.columns)
      for (const [key, row] of state.rows)
        if (wanted.every(([column, value]) => cellText(row[column]) === cellText(value))) erase(state, key, row)
    }
  }
}

function write(state: TableState, row: Row): void {
  const key = keyOf(state.table, row)
  state.rows.set(key, row)
  state.touched.set(key, row)
}

function erase(state: TableState, key: string, columns: Row): void {
  state.rows.delete(key)
  state.touched.set(key, columns)
}

const keyOf = ({ key }: Table, row: Row): string => key.map((column) => cellText(row[column])).join('\u0000')

/** Key columns hold no objects. */
const cellText = (value: ColumnValue | undefined): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
