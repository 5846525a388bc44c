import type { ColumnValue, Row, RowChange } from '../projection.ts'

/** A change to the row of one key. */
export type KeyedChange = Exclude<RowChange, { readonly change: 'removeWhere' }>

/** What coalescing needs to know about a table. */
export interface TableRules {
  readonly key: readonly string[]
  /** Columns in which two values are equal in Postgres exactly if their texts here are equal. */
  readonly comparable: ReadonlySet<string>
}

/** Changes of one table that a few statements can apply: first the changes of rows, in any order, then the removals. */
export interface Layer {
  /** By key: one change for each row. */
  readonly rows: Map<string, KeyedChange>
  /** By the names of their columns. */
  readonly removals: Map<string, Removals>
}

/** Removals of all rows that have one of several values in the same columns. */
export interface Removals {
  readonly columns: readonly string[]
  readonly values: Map<string, Row>
}

/**
 * Gathers the changes of one table into as few layers as possible without changing their effect: applied one after another, the
 * layers have the effect of the changes one by one. Changes of the same row become one, and a change moves before an earlier
 * removal if neither affects the other. A change that can't be gathered opens another layer, which is slower but just as
 * correct.
 */
export function coalesce(changes: Iterable<RowChange>, rules: TableRules): readonly Layer[] {
  const layers: Layer[] = []
  for (const change of changes) {
    const last = layers.at(-1)
    if (last && addTo(last, change, rules)) continue
    const next: Layer = { rows: new Map(), removals: new Map() }
    layers.push(next)
    addTo(next, change, rules)
  }
  return layers
}

/** Adds a change to the newest layer; false if it has to come after it. */
function addTo(layer: Layer, change: RowChange, rules: TableRules): boolean {
  if (change.change === 'removeWhere') {
    addRemoval(layer, change.columns)
    return true
  }
  if (layer.removals.size > 0 && mayMeetRemoval(layer, change, rules)) return false
  const key = keyOf(change, rules)
  const earlier = layer.rows.get(key)
  const merged = earlier ? merge(earlier, change) : change
  if (!merged) return false
  layer.rows.set(key, merged)
  return true
}

function addRemoval(layer: Layer, row: Row): void {
  const columns = Object.keys(row).toSorted()
  if (columns.length === 0 || columns.some((column) => row[column] === null)) {
    throw new Error(`removeWhere needs columns, and values for them: ${JSON.stringify(row)}`)
  }
  const name = columns.join(' ')
  const removals = layer.removals.get(name) ?? { columns, values: new Map<string, Row>() }
  removals.values.set(textOf(columns, row) ?? '', row)
  layer.removals.set(name, removals)
}

/** Whether the result may depend on the order of the change and a removal in the layer. */
function mayMeetRemoval(layer: Layer, change: KeyedChange, rules: TableRules): boolean {
  for (const removals of layer.removals.values()) {
    if (mayMeet(removals, change, rules)) return true
  }
  return false
}

function mayMeet({ columns, values }: Removals, change: KeyedChange, { comparable }: TableRules): boolean {
  switch (change.change) {
    case 'remove':
      return false
    case 'patch':
      return columns.some((column) => column in change.columns)
    case 'put':
    case 'add': {
      const row = change.change === 'put' ? change.row : change.key
      // Removals never have null among their values.
      if (columns.some((column) => row[column] === null)) return false
      const text = columns.every((column) => comparable.has(column)) ? textOf(columns, row) : undefined
      return text === undefined || values.has(text)
    }
  }
}

/** One change with the effect of two, or undefined if no single change has it. */
function merge(earlier: KeyedChange, later: KeyedChange): KeyedChange | undefined {
  switch (later.change) {
    case 'put':
    case 'remove':
      return later
    case 'patch':
      return patched(earlier, later.columns)
    case 'add':
      return added(earlier, later.amounts)
  }
}

function patched(earlier: KeyedChange, columns: Row): KeyedChange | undefined {
  switch (earlier.change) {
    case 'put':
      return { ...earlier, row: { ...earlier.row, ...columns } }
    case 'patch':
      return { ...earlier, columns: { ...earlier.columns, ...columns } }
    case 'remove':
      return earlier
    case 'add':
      return undefined
  }
}

function added(earlier: KeyedChange, amounts: Readonly<Record<string, number>>): KeyedChange | undefined {
  switch (earlier.change) {
    case 'put': {
      const sums = sum(earlier.row, amounts)
      return sums && { ...earlier, row: { ...earlier.row, ...sums } }
    }
    case 'add': {
      const sums = sum({ ...zeros(amounts), ...earlier.amounts }, amounts)
      return sums && { ...earlier, amounts: { ...earlier.amounts, ...sums } }
    }
    case 'remove':
      return { change: 'put', table: earlier.table, row: { ...earlier.key, ...amounts } }
    case 'patch':
      return undefined
  }
}

function zeros(amounts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.keys(amounts).map((column) => [column, 0]))
}

/** The sums of some columns; undefined if a value is not a known number here. */
function sum(row: Row, amounts: Readonly<Record<string, number>>): Record<string, number> | undefined {
  const sums: Record<string, number> = {}
  for (const [column, amount] of Object.entries(amounts)) {
    const value = row[column]
    if (typeof value !== 'number') return undefined
    sums[column] = value + amount
  }
  return sums
}

function keyOf(change: KeyedChange, { key }: TableRules): string {
  if (change.change === 'patch' && key.some((column) => column in change.columns)) {
    throw new Error(`A patch of ${change.table} changes its key: ${JSON.stringify(change.columns)}`)
  }
  const row = change.change === 'put' ? change.row : change.key
  const text = textOf(key, row)
  if (text === undefined)
    throw new Error(`A change of ${change.table} lacks a column of its key: ${JSON.stringify(row)}`)
  return text
}

/** Postgres text can't contain NUL, so it can't occur in a value. */
const separator = '\u0000'

function textOf(columns: readonly string[], row: Row): string | undefined {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return cellText(row[only])
  const cells = columns.map((column) => cellText(row[column]))
  return cells.includes(undefined) ? undefined : cells.join(separator)
}

function cellText(value: ColumnValue | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
      return String(value)
    default:
      return undefined
  }
}
