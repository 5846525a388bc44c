import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, read } from './pages.ts'

/** What `.ci/run` prints once both commands have taken so long. */
function afterRun(test_s: number, faults_s: number, pace = 1) {
  const script = path.join(checkout, '.ci/compare-times.mjs')
  const run = spawnSync(process.execPath, [script, String(test_s), String(faults_s), String(pace)], {
    encoding: 'utf8',
  })
  return { status: run.status, lines: run.stdout.trim().split('\n') }
}

/** How long README says that a command took, in seconds. */
const saidOf = (command: string): number =>
  Number(read('README.md').split(`\`${command}\` took `)[1]?.split(' s')[0]?.replaceAll(',', ''))

describe('how long README says that the tests take', () => {
  const [test_s, faults_s] = [saidOf('npm test'), saidOf('npm run test:faults')]

  it('is compared with each run of CI, and holds up to twice as long', () => {
    expect(afterRun(2 * test_s, 2 * faults_s)).toEqual({
      status: 0,
      lines: [
        `== npm test took ${2 * test_s} s; README says ${test_s} s, the pace is 1.0: ok`,
        `== npm run test:faults took ${2 * faults_s} s; README says ${faults_s} s, the pace is 1.0: ok`,
      ],
    })
  })

  it('fails a run that took more than twice as long, whichever of the two', () => {
    expect(afterRun(2 * test_s + 1, faults_s).status).toBe(1)
    expect(afterRun(test_s, 2 * faults_s + 1).status).toBe(1)
  })

  it('holds as much longer as the machine is slower', () => {
    expect(afterRun(5 * test_s, 5 * faults_s, 2.5).status).toBe(0)
    expect(afterRun(5 * test_s + 1, faults_s, 2.5).status).toBe(1)
  })
})
