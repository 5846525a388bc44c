import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { hearStatements } from '../../support/statements.ts'
import { workshop, type Workshop } from './support/workshop.ts'

let at: Workshop
let statements: string[]
let stopHearing = (): void => undefined
let release = (): void => undefined
beforeEach(async () => {
  at = await workshop()
  statements = []
  stopHearing = hearStatements((text, on) => {
    // Servers of other files may still be at work.
    if (on === at.connection.database) statements.push(text)
  })
})
afterEach(async () => {
  release()
  stopHearing()
  await at.close()
})

/** How many statements contained a text. */
const sent = (text: string): number => statements.filter((statement) => statement.includes(text)).length

describe('an idle worker', () => {
  it('take the turns of rounds that are due together in one statement', async () => {
    const { work } = at
    const runs = [0, 0, 0, 0, 0]
    const round = (index: number) => ({
      name: `round ${index}`,
      every_ms: 500,
      run: async () => void (runs[index] = (runs[index] ?? 0) + 1),
    })
    work({}, { rounds: runs.map((_, index) => round(index)) })
    await expect.poll(() => Math.min(...runs)).toBe(4)
    // The round that gives jobs back has another interval.
    const ofOthers = Math.ceil((4 * 500) / 300) + 1
    expect(sent('into job_workers.turns')).toBeLessThanOrEqual(2 * 4 + ofOthers)
  })

  it('carries out rounds that are due together one after another, and waits for none that takes long', async () => {
    const { work } = at
    let [atWork, most] = [0, 0]
    const done: number[] = []
    const long = new Promise<void>((resolve) => void (release = resolve))
    const round = (index: number) => ({
      name: `round ${index}`,
      every_ms: 60_000,
      run: async () => {
        most = Math.max(most, (atWork += 1))
        if (index === 2) await long
        else await at.database.pool.query('select pg_sleep(0.01)')
        atWork -= 1
        done.push(index)
      },
    })
    work({}, { rounds: [0, 1, 2, 3, 4].map(round) })
    await expect.poll(() => done).toStrictEqual([0, 1, 3, 4])
    // The long one and one other.
    expect(most).toBe(2)
    release()
    await expect.poll(() => done).toHaveLength(5)
  })

  it('looks for jobs once for all of its places, and asks once whether there are jobs to give back', async () => {
    const { work } = at
    work({}, { atOnce: 8 })
    const beats = () => sent('into job_workers.workers')
    const looks = () => sent('or exists (select from job_workers.workers')
    await expect.poll(() => Math.min(beats(), looks())).toBeGreaterThan(5)
    // Each place looks when it starts. What graphile-worker gives back after hours begins with another `j`.
    expect(sent('with j as ( select')).toBeLessThanOrEqual(8)
    expect(sent('force_unlock_workers') + sent('delete from job_workers.workers')).toBe(0)
  })
})

describe('a job that nobody announces', () => {
  it('is found by a heartbeat, by a worker that carries out its task', async () => {
    const { database, jobs, work } = at
    const done: string[] = []
    work({ note: async ({ text }) => void done.push(text) })
    await jobs.add('note', { text: 'later' }, { runAt: timestamp(Date.now() + 3_600_000) })
    const names = async () => (await database.pool.query('select name from job_workers.workers')).rows
    await expect.poll(names).toHaveLength(1)
    await database.pool.query('update job_queue._private_jobs set run_at = now()')
    await expect.poll(() => done).toStrictEqual(['later'])
  })
})
