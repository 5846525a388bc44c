import { beforeAll } from '../../domain/kernel/position.ts'
import { readModels } from '../../projections/read-models.ts'
import type { KeyedDifference, TableDifferences } from '../../projections/runner/rows/differences.ts'
import { verify as verifyReadModels, type Verification } from '../../projections/runner/verify.ts'
import { interruptible } from '../interruptible.ts'
import { progressBar, shareOf } from '../progress-bar.ts'
import { refuseOtherReadModels } from '../../process/read-models-fit.ts'
import { shortened } from '../shortened.ts'
import type { Store } from '../../process/store.ts'
import { besideServer } from './beside.ts'

/**
 * Rebuilds every read model in scratch tables and prints each row that differs from the live one. True if none does. A running
 * server continues to project: both sides are compared as of one position.
 */
export async function verify(print: (line: string) => void): Promise<boolean> {
  return interruptible((signal) => besideServer((store) => verifyIn(store, signal, print)))
}

/** The same for a store that is open. */
export async function verifyIn(store: Store, signal: AbortSignal, print: (line: string) => void): Promise<boolean> {
  await refuseOtherReadModels(store)
  const { database, events } = store
  const bar = progressBar('rebuilding')
  const verified = verifyReadModels({
    pool: database.pool,
    store: events,
    projections: readModels,
    signal,
    onProgress: (at, end) => bar.show(shareOf(at, beforeAll, end), `position ${at} of ${end}`),
    onWaiting: () => bar.show(0, 'waiting for another process that builds read models'),
  })
  const verification = await verified.finally(() => bar.end())
  if (!verification) signal.throwIfAborted()
  if (!verification) throw new Error('Nothing was compared')
  return report(verification, print)
}

function report({ position, end, models }: Verification, print: (line: string) => void): boolean {
  let differing = 0
  for (const { name, tables } of models) {
    for (const table of tables) {
      differing += table.count
      printTable(name, table, print)
    }
  }
  const at = position === beforeAll ? 'before the first event' : `at position ${position}`
  const behind = position < end ? ` The store goes on to ${end}, which is not projected yet.` : ''
  print(
    differing === 0
      ? `All ${models.length} read models equal what history makes of them, ${at}.${behind}`
      : `${differing} ${differing === 1 ? 'row differs' : 'rows differ'}, ${at}.${behind} 'replay' builds read models anew.`,
  )
  return differing === 0
}

function printTable(model: string, { table, rows, count }: TableDifferences, print: (line: string) => void): void {
  for (const row of rows) {
    print(`${model}.${table} ${keyOf(row)}: ${kindOf(row)}`)
    for (const column of row.columns) print(`    ${column}: ${sidesOf(row, column)}`)
  }
  if (count > rows.length) print(`${model}.${table}: ${count - rows.length} more rows differ`)
}

function keyOf({ key }: KeyedDifference): string {
  return Object.entries(key)
    .map(([column, value]) => `${column} = ${shortened(column, value)}`)
    .join(', ')
}

function kindOf({ live, rebuilt, columns }: KeyedDifference): string {
  if (!live) return 'missing, though history makes it'
  if (!rebuilt) return 'live, though history does not make it'
  return `differs in ${columns.join(', ')}`
}

function sidesOf({ live, rebuilt }: KeyedDifference, column: string): string {
  const sides = [
    ...(live ? [`live ${shortened(column, live[column] ?? null)}`] : []),
    ...(rebuilt ? [`history ${shortened(column, rebuilt[column] ?? null)}`] : []),
  ]
  return sides.join(', ')
}
