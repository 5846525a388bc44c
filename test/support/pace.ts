import { spawnSync } from 'node:child_process'
import { scryptSync } from 'node:crypto'

/**
 * How long a test waits for a fact, in milliseconds: a machine may be as busy as it likes, and only a fact that never comes fails. With a
 * planted defect many never come (test/defects/run.mjs).
 */
export const patience_ms = Number(process.env['PATIENCE_MS'] ?? 120_000)

/** The environment variable with the pace of the machine at the start of the run; the global setup sets it. */
export const paceVariable = 'GUILDHALL_PACE'

/** A fixed piece of work, and what it takes on the quiet machine for which bounds are written. */
const works = [
  { took_ms: 60, work: () => spawnSync(process.execPath, ['-e', '0']) },
  { took_ms: 35, work: () => scryptSync('a password', 'salt', 32) },
]
const measured = 3
/** Suites run beside each other, so what is measured at one moment may be better than what was before. */
const beside = 3

/** How many times as long as on the quiet machine a process that starts, or a hash, takes here and now. */
export function measuredPace(): number {
  const rounds = Array.from({ length: measured }, () => works.map(({ took_ms, work }) => timeOf(work) / took_ms))
  return Math.max(...rounds.flat())
}

function timeOf(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

/**
 * Returns how long something may take here and now that takes `time` at most on a quiet machine, in the same unit: three times as long, or
 * as many times as the machine is slower than that one, now or when the run began. Ask for it right after what is bounded, while
 * the machine is as busy as it was then.
 */
export function paced(time: number): number {
  const atStart = Number(process.env[paceVariable] ?? 1)
  return time * Math.max(beside, atStart, measuredPace())
}
