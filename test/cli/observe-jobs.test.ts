import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { observeJobs } from '../../cli/observe-jobs.js'

const silent = pino({ level: 'silent' })

describe('the metrics of the job queue', () => {
  it('count the jobs of each task, as they are when asked', async () => {
    const registry = new Registry()
    const queue = [{ task: 'finish_step', waiting: 3, atWork: 2, failedForGood: 1 }]
    observeJobs(registry, { jobCounts: async () => queue }, silent)
    const text = await registry.metrics()
    expect(text).toContain('guildhall_jobs_waiting{task="finish_step"} 3')
    expect(text).toContain('guildhall_jobs_at_work{task="finish_step"} 2')
    expect(text).toContain('guildhall_jobs_failed{task="finish_step"} 1')
    queue.pop()
    expect(await registry.metrics()).not.toContain('finish_step')
  })

  it('leave the other metrics alone while the queue cannot be read', async () => {
    const registry = new Registry()
    observeJobs(registry, { jobCounts: () => Promise.reject(new Error('away')) }, silent)
    expect(await registry.metrics()).toContain('# TYPE guildhall_jobs_waiting gauge')
  })
})
