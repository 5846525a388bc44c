import type { ColumnValue, Row, RowChange } from '../../../projections/runner/projection.ts'

/** A table as a plain Map, to which changes are applied one after another. The tests compare coalescing and SQL with it. */
export function modelTable(key: readonly string[], defaults: Row) {
  const rows = new Map<string, Row>()
  const textOf = (row: Row): string => JSON.stringify(key.map((column) => row[column]))

  function carryOut(change: RowChange): void {
    switch (change.change) {
      case 'put':
        rows.set(textOf(change.row), { ...defaults, ...change.row })
        break
      case 'patch': {
        const row = rows.get(textOf(change.key))
        if (row) rows.set(textOf(change.key), { ...row, ...change.columns })
        break
      }
      case 'add': {
        const row = rows.get(textOf(change.key))
        rows.set(
          textOf(change.key),
          row ? added(row, change.amounts) : { ...defaults, ...change.key, ...change.amounts },
        )
        break
      }
      case 'remove':
        rows.delete(textOf(change.key))
        break
      case 'removeWhere':
        for (const [text, row] of rows) {
          if (Object.entries(change.columns).every(([column, value]) => row[column] === value)) rows.delete(text)
        }
    }
  }

  return { rows, carryOut }
}

function added(row: Row, amounts: Readonly<Record<string, number>>): Row {
  const sums = Object.entries(amounts).map(([column, amount]): [string, ColumnValue] => [
    column,
    sum(row[column], amount),
  ])
  return { ...row, ...Object.fromEntries(sums) }
}

function sum(value: ColumnValue | undefined, amount: number): number | null {
  return typeof value === 'number' ? value + amount : null
}
