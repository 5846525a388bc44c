import { afterEach, describe, expect, it } from 'vitest'
import { workshop, type Workshop } from './support/workshop.ts'

let at: Workshop
afterEach(() => at.close())

describe('two workers', () => {
  it('do a daily round once a day, and at once if its time has passed meanwhile', async () => {
    at = await workshop()
    const { work, database } = at
    const midnight_ms = 86_400_000
    const secondsToday = Math.floor((Date.now() % midnight_ms) / 1000)
    const runs = { passed: 0, other: 0 }
    const daily = (name: keyof typeof runs, dailyAt_s: number) => ({
      name,
      every_ms: 50,
      dailyAt_s,
      run: async () => void (runs[name] += 1),
    })
    const looks: number[] = []
    const looking = { name: 'looking', every_ms: 50, run: async () => void looks.push(looks.length) }
    // Two hours each way, so that midnight changes nothing.
    const later_s = (secondsToday + 7200) % 86_400
    for (let worker = 0; worker < 2; worker += 1)
      work({}, { rounds: [daily('passed', (secondsToday + 79_200) % 86_400), daily('other', later_s), looking] })
    await expect.poll(() => looks.length).toBeGreaterThan(4)
    expect(runs).toEqual({ passed: 1, other: 1 })
    await database.pool.query(`update job_workers.turns set taken_at = taken_at - interval '3 hours'
      where name in ('passed', 'other')`)
    await expect.poll(() => runs).toEqual({ passed: 2, other: 1 })
    const seen = looks.length
    await expect.poll(() => looks.length).toBeGreaterThan(seen + 4)
    expect(runs).toEqual({ passed: 2, other: 1 })
  })
})
