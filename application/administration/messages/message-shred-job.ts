import type { BackgroundJobId } from '../../../domain/ids/ids.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { BackgroundJobRecord, BackgroundTask, JobStatus } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'

/** How far a job is that deletes an account's messages. */
export type MessageShredJobObject =
  | { readonly status: 'not_found' }
  | ({
      readonly status: Exclude<ShredStatus, 'failed'>
      readonly started_at?: Timestamp
      readonly completed_at?: Timestamp
    } & ShredCounts)
  | ({
      readonly status: 'failed'
      readonly started_at?: Timestamp
      readonly failed_at?: Timestamp
      readonly error: string
    } & ShredCounts)

interface ShredCounts {
  readonly requested: number
  /** Messages that existed and were the account's. They are deleted in the same step that looks. */
  readonly total: number
  readonly processed: number
  readonly skipped: number
}

type ShredStatus = 'in_progress' | 'completed' | 'failed'

const statuses: Readonly<Record<JobStatus, ShredStatus>> = {
  queued: 'in_progress',
  running: 'in_progress',
  succeeded: 'completed',
  // This resource has no status of its own for a job that an administrator cancelled.
  cancelled: 'failed',
  deadletter: 'failed',
}

const shredTasks: readonly string[] = ['delete_user_messages', 'shred_messages'] satisfies readonly BackgroundTask[]

/** How long the progress of a job that has ended is shown. */
const shown_ms = 3_600_000

/** How far a job is that deletes an account's messages; `not_found` for an unknown one. */
export function messageShredJob({ authorMessages, backgroundJobs }: Pick<Ports, 'authorMessages' | 'backgroundJobs'>) {
  return async (jobId: BackgroundJobId, now: Timestamp): Promise<MessageShredJobObject> => {
    const job = await backgroundJobs.find(jobId)
    if (!job || !shredTasks.includes(job.task) || isOver(job, now)) return { status: 'not_found' }
    const { deleted_count: processed } = await authorMessages.shredded(jobId)
    return objectOf(job, processed)
  }
}

const isOver = ({ completedAt }: BackgroundJobRecord, now: Timestamp): boolean =>
  completedAt !== null && msOf(completedAt) + shown_ms < msOf(now)

function objectOf(job: BackgroundJobRecord, processed: number): MessageShredJobObject {
  const { completedAt, done, errorMessage, startedAt, total: requested } = job
  const status = statuses[job.status]
  // What is deleted of the current step does not count as done yet.
  const counts = { requested, total: processed, processed, skipped: Math.max(0, done - processed) }
  const started = startedAt === null ? {} : { started_at: startedAt }
  if (status !== 'failed')
    return { status, ...counts, ...started, ...(completedAt === null ? {} : { completed_at: completedAt }) }
  const error = job.status === 'cancelled' ? 'Cancelled' : (errorMessage ?? 'Error')
  return { status, ...counts, ...started, ...(completedAt === null ? {} : { failed_at: completedAt }), error }
}
