import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { aligned } from '../../bench/support/report.ts'

/** The environment variable with the name of the file for a run's rows; the global setup sets it. */
export const faultTableVariable = 'GUILDHALL_FAULT_TABLE'

/** Whether to inject the faults many times (`FAULTS=long`) rather than a few. */
export const isLong = process.env['FAULTS'] === 'long'

const count = z.int().min(0)
const noted = z.object({
  row: z.string().regex(/^F[0-9]+[a-z]?$/),
  title: z.string().min(1),
  /** How often the fault was injected: a fault that was not injected has no row. */
  runs: z.int().min(1),
  lost: count,
  repeated: count,
  reordered: count,
  divergent: count,
  /** The longest time in seconds that something was stuck, or took to recover. */
  stuck_s: z.number().min(0),
  note: z.string().optional(),
})

type NotedFault = z.infer<typeof noted>

/** The result of injecting one fault of the matrix. */
export type FaultCounts = Readonly<Omit<NotedFault, 'row'>>

/**
 * Adds a row to the table that is printed at the end of the run: `F` with the number of the fault, and a letter if it is
 * injected in several ways. Call it before the test expects zeros, so that a failing row is shown too. Throws if a count is
 * negative or there was no run. Without a global setup it only checks.
 */
export function noteFault(row: string, counts: FaultCounts): void {
  const line = JSON.stringify(noted.parse({ row, ...counts }))
  const file = process.env[faultTableVariable]
  // A short line is appended in one write: lines of several workers do not mix.
  if (file !== undefined) appendFileSync(file, `${line}\n`)
}

/** The rows of a file as one table, by the number of the fault, with a total; undefined without rows. */
export function faultTable(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const rows = lines.map((line) => noted.parse(JSON.parse(line))).toSorted(byNumber)
  if (rows.length === 0) return undefined
  const head = ['row', 'fault', 'runs', 'lost', 'repeated', 'reordered', 'divergent', 'stuck s', 'outcome', 'note']
  return aligned([head, ...rows.map((row) => cells(row)), cells(totalOf(rows))])
}

function cells({ row, title, runs, lost, repeated, reordered, divergent, stuck_s, note }: NotedFault): string[] {
  const counts = [lost, repeated, reordered, divergent]
  const outcome = counts.every((found) => found === 0) ? 'held' : 'BROKEN'
  return [row, title, String(runs), ...counts.map(String), stuck_s.toFixed(2), outcome, note ?? '']
}

function totalOf(rows: readonly NotedFault[]): NotedFault {
  const sum = (count: (row: NotedFault) => number): number => rows.reduce((total, row) => total + count(row), 0)
  return {
    row: 'all',
    title: `${rows.length} rows`,
    runs: sum(({ runs }) => runs),
    lost: sum(({ lost }) => lost),
    repeated: sum(({ repeated }) => repeated),
    reordered: sum(({ reordered }) => reordered),
    divergent: sum(({ divergent }) => divergent),
    stuck_s: Math.max(...rows.map(({ stuck_s }) => stuck_s)),
    note: 'stuck: the longest',
  }
}

function byNumber(a: NotedFault, b: NotedFault): number {
  const order = a.row.localeCompare(b.row, 'en', { numeric: true })
  return order === 0 ? a.title.localeCompare(b.title, 'en') : order
}
