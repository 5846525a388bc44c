import { createHash } from 'node:crypto'
import type { Retention, Row, RowChange } from '../projection.ts'
import { statementRows_max, type Statement } from './row-statements.ts'
import { quoted, type Table } from './table-columns.ts'

/**
 * The statements that remove what a table does not keep, after the changes of a batch. They look only at the groups of rows that
 * the batch has given an order.
 */
export function removalsBeyond(
  table: Table,
  retention: Retention,
  changes: readonly RowChange[],
): readonly Statement[] {
  const keys = changes.map((change) => orderedKey(table, retention, change)).filter((key) => key !== undefined)
  if (keys.length === 0) return []
  const text = textOf(table, retention)
  const name = `rows_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  const statements: Statement[] = []
  for (let from = 0; from < keys.length; from += statementRows_max) {
    const part = keys.slice(from, from + statementRows_max)
    statements.push({ name, text, values: table.key.map((column) => part.map((key) => cellOf(key, column))) })
  }
  return statements
}

/** The key of a row that a change gives its number in the order; undefined for any other change. */
function orderedKey({ key }: Table, { newestBy }: Retention, change: RowChange): Row | undefined {
  switch (change.change) {
    case 'put':
      return newestBy in change.row
        ? Object.fromEntries(key.map((column) => [column, change.row[column] ?? null]))
        : undefined
    case 'patch':
      return newestBy in change.columns ? change.key : undefined
    case 'add':
    case 'remove':
    case 'removeWhere':
      return undefined
  }
}

function cellOf(key: Row, column: string): string | number | boolean {
  const value = key[column]
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Error(`Not a value of a key: ${JSON.stringify(value)}`)
}

function textOf(table: Table, { group, newestBy, rows_max }: Retention): string {
  const target = `${quoted(table.schema)}.${quoted(table.name)}`
  const key = table.key.map(quoted).join()
  const arrays = table.key
    .map((column, index) => `$${index + 1}::${table.columns.get(column)?.type ?? 'text'}[]`)
    .join()
  const matching = (one: string, other: string): string =>
    table.key.map((column) => `${one}.${quoted(column)} = ${other}.${quoted(column)}`).join(' and ')
  return `delete from ${target} as t using (
  select ${key}, row_number() over (partition by ${quoted(group)} order by ${quoted(newestBy)} desc, ${key}) as place
  from ${target} where ${quoted(newestBy)} is not null and ${quoted(group)} in (
    select c.${quoted(group)} from ${target} c join unnest(${arrays}) as v (${key}) on ${matching('c', 'v')})
) r where r.place > ${rows_max} and ${matching('t', 'r')}`
}
