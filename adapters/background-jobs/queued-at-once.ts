import type { BackgroundJobs } from '../../application/ports/background-jobs.ts'
import type { Jobs } from '../../application/ports/jobs.ts'
import type { BackgroundJobId } from '../../domain/ids/ids.ts'

/** Has a worker take up a background job. Does nothing while one has it, or is about to. */
export function queueBackgroundJob(queue: Jobs, jobId: BackgroundJobId): Promise<void> {
  return queue.add('background_job', { jobId }, { key: `background job ${jobId}` })
}

/**
 * The same background jobs; a worker hears of a new one as soon as it is stored. Where the queue can't take it, as before the first
 * worker has laid its tables, the round of the workers finds it.
 */
export function queuedAtOnce(jobs: BackgroundJobs, queue: Jobs): BackgroundJobs {
  return {
    ...jobs,
    async add(job) {
      await jobs.add(job)
      await queueBackgroundJob(queue, job.jobId).catch(() => undefined)
    },
  }
}
