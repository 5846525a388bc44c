import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { aligned } from '../../bench/support/report.js'

/** The environment variable that names the file of a run's rows; the global setup sets it. */
export const faultTableVariable = 'GUILDHALL_FAULT_TABLE'

/** Whether the faults are to be injected many times (`FAULTS=long`) rather than a few. */
export const isLong = process.env['FAULTS'] === 'long'

const count = z.int().min(0)
const noted = z.object({
  row: z.string().regex(/^F[0-9]+[a-z]?$/),
  title: z.string().min(1),
  /** How often the fault was injected: a fault that was not has no row. */
  runs: z.int().min(1),
  lost: count,
  repeated: count,
  reordered: count,
  divergent: count,
  /** The longest time in seconds that something stood still, or took to be well again. */
  stuck_s: z.number().min(0),
  note: z.string().optional(),
})

type NotedFault = z.infer<typeof noted>

/** What injecting one fault of the matrix came to. */
export type FaultCounts = Readonly<Omit<NotedFault, 'row'>>

/**
 * Adds a row to the table that is printed at the end of the run: `F` with the number of the fault, and a letter where it is
 * injected in several ways. Call it before the test expects zeros, so that a row that fails is seen too. Throws where a
 * count is negative or no run was made. Without a global setup it only checks.
 */
export function noteFault(row: string, counts: FaultCounts): void {
  const line = JSON.stringify(noted.parse({ row, ...counts }))
  const file = process.env[faultTableVariable]
  // One write of a short line at the end of a file: those of several workers do not mix.
  if (file !== undefined) appendFileSync(file, `${line}\n`)
}

/** The rows of a file as one table, by the number of the fault, with a total; undefined where none was noted. */
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
