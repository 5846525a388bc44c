import { spawnSync } from 'node:child_process'

/** How long a test waits for a fact, in milliseconds: a machine may be as busy as it likes, and only a fact that never comes fails. */
export const patience_ms = 120_000

/** What a process of Node.js takes to start and end on the quiet machine for which bounds are written. */
const start_ms = 60
const measured = 3
/** Suites run beside each other, so what is measured at one moment may be better than what was before. */
const beside = 3

/**
 * Returns how many milliseconds something may take here and now that takes `ms` at most on a quiet machine: three times as long, or as many
 * times as a process takes longer to start. Ask for it right after what is bounded, while the machine is as busy as it was then.
 */
export function paced(ms: number): number {
  const took_ms = Array.from({ length: measured }, () => {
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
  return ms * Math.max(beside, Math.max(...took_ms) / start_ms)
}
