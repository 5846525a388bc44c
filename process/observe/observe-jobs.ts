import { Gauge, type Registry } from 'prom-client'
import type { JobCounts } from '../../adapters/jobs/job-queue.ts'
import { askedInTime } from '../asked-in-time.ts'
import type { ProcessManagers } from '../process-managers.ts'

const gauges: Readonly<Record<Exclude<keyof JobCounts, 'task'>, readonly [name: string, help: string]>> = {
  waiting: ['guildhall_jobs_waiting', 'Jobs that wait for their time, or for their next try.'],
  atWork: ['guildhall_jobs_at_work', 'Jobs that some worker has taken.'],
  oldestDue_s: ['guildhall_jobs_oldest_due_seconds', 'How long the oldest job is due that no worker has taken.'],
  failedForGood: ['guildhall_jobs_failed', 'Jobs that failed for good, and stay until somebody looks at them.'],
}

/**
 * Adds the jobs in the queue to the metrics, for the whole instance, in every process. While the queue cannot be read, these
 * metrics are left out and the others stay.
 */
export function observeJobs(
  registry: Registry,
  { jobCounts }: Pick<ProcessManagers, 'jobCounts'>,
  onError: (error: unknown) => void,
): void {
  const counted = askedInTime(jobCounts, onError)
  for (const [member, [name, help]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      labelNames: ['task'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        for (const { task, ...counts } of (await counted()) ?? [])
          this.set({ task }, new Map(Object.entries(counts)).get(member) ?? 0)
      },
    })
  }
}
