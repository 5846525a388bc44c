import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../application/health/answered-in-time.ts'
import { observeJobs } from '../../process/observe/observe-jobs.ts'

const fail = (error: unknown): never => {
  throw error
}

describe('the metrics of the job queue', () => {
  it('count the jobs of each task at the time of the request', async () => {
    const registry = new Registry()
    const queue = [{ task: 'finish_step', waiting: 3, atWork: 2, failedForGood: 1, oldestDue_s: 7.5 }]
    observeJobs(registry, { jobCounts: async () => queue }, fail)
    const text = await registry.metrics()
    expect(text).toContain('guildhall_jobs_waiting{task="finish_step"} 3')
    expect(text).toContain('guildhall_jobs_at_work{task="finish_step"} 2')
    expect(text).toContain('guildhall_jobs_failed{task="finish_step"} 1')
    expect(text).toContain('guildhall_jobs_oldest_due_seconds{task="finish_step"} 7.5')
    queue.pop()
    expect(await registry.metrics()).not.toContain('finish_step')
  })

  it('leave the other metrics alone while the queue cannot be read', async () => {
    const registry = new Registry()
    const told: unknown[] = []
    const away = new Error('away')
    observeJobs(registry, { jobCounts: () => Promise.reject(away) }, (error) => told.push(error))
    expect(await registry.metrics()).toContain('# TYPE guildhall_jobs_waiting gauge')
    expect(new Set(told)).toEqual(new Set([away]))
  })

  it('delay the other metrics by at most a second if the queue does not answer, and ask it once', async () => {
    const registry = new Registry()
    const told: unknown[] = []
    let asked = 0
    const jobCounts = () => new Promise<never>(() => (asked += 1))
    observeJobs(registry, { jobCounts }, (error) => told.push(error))
    for (let round = 0; round < 2; round += 1)
      expect(await registry.metrics()).toContain('# TYPE guildhall_jobs_waiting gauge')
    expect(asked).toBe(1)
    expect(told.map((error) => error instanceof NoAnswer)).toEqual(Array.from({ length: 8 }, () => true))
  })
})
