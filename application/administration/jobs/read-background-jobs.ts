import type { AccountId, BackgroundJobId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { BackgroundJobRecord, ItemOutcome, JobSearch, JobStatus } from '../../ports/background-jobs.ts'
import { jobAttempts_max, itemResults } from './job-statuses.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'backgroundJobs'>

/** A background job as administrators see it. */
export interface BackgroundJobObject {
  readonly job_id: BackgroundJobId
  readonly task_type: string
  readonly status: JobStatus
  readonly progress_current: number
  readonly progress_total: number
  readonly progress_message: string | null
  readonly error_message: string | null
  readonly created_at: Timestamp
  readonly started_at: Timestamp | null
  readonly completed_at: Timestamp | null
  readonly requested_by_user_id: AccountId
  readonly audit_log_reason: string | null
  readonly jet_stream_lane: 'batch'
  readonly jet_stream_seq: null
  readonly attempts: number
  readonly max_attempts: number
  readonly run_at: Timestamp | null
  readonly cancel_requested: boolean
  readonly context_link: string | null
  readonly payload: BackgroundJobRecord['payload']
  /** How many items are done; of a bulk job also how many came to what. */
  readonly result: Readonly<Record<string, number>> | null
}

/** One job. For a bulk job, it has the outcome of each item. */
export interface OneBackgroundJobObject extends Omit<BackgroundJobObject, 'result'> {
  readonly result: (NonNullable<BackgroundJobObject['result']> | ResultWithItems) | null
}

type ResultWithItems = Readonly<Record<string, number | readonly ItemOutcome[]>>

/** The start of the next page. */
export interface JobCursorObject {
  /** YYYY-MM-DD. */
  readonly bucket_day: string
  readonly created_at: Timestamp
  readonly job_id: BackgroundJobId
}

export interface JobsPageObject {
  readonly jobs: readonly BackgroundJobObject[]
  readonly next_cursor: JobCursorObject | null
}

/** The maximum number of active jobs in one answer. */
export const activeJobs_max = 1000

/** A page of the jobs that match, newest first. */
export function listBackgroundJobs({ backgroundJobs }: Needs) {
  return async (search: JobSearch): Promise<JobsPageObject> => {
    const found = await backgroundJobs.list({ ...search, limit: search.limit + 1 })
    const shown = found.slice(0, search.limit)
    const last = shown.at(-1)
    const cursor = last && { bucket_day: last.createdAt.slice(0, 10), created_at: last.createdAt, job_id: last.jobId }
    return { jobs: shown.map(objectOf), next_cursor: found.length > shown.length && cursor ? cursor : null }
  }
}

/** The jobs that are queued or running. */
export function listActiveBackgroundJobs({ backgroundJobs }: Needs) {
  return async (): Promise<{ readonly jobs: readonly BackgroundJobObject[] }> => ({
    jobs: (await backgroundJobs.active(activeJobs_max)).map(objectOf),
  })
}

/** One job. Refuses with NOT_FOUND and `error` job_not_found. */
export function getBackgroundJob({ backgroundJobs }: Needs) {
  return async (jobId: BackgroundJobId): Promise<{ readonly job: OneBackgroundJobObject }> => {
    const job = await backgroundJobs.find(jobId)
    if (!job) return jobNotFound()
    const shown = objectOf(job)
    if (job.results === null) return { job: shown }
    return { job: { ...shown, result: { ...shown.result, items: await backgroundJobs.outcomes(jobId) } } }
  }
}

/**
 * Cancels a job. True if the job is cancelled, or will be after its current step; false if it ended otherwise. Refuses with
 * NOT_FOUND and `error` job_not_found.
 */
export function cancelBackgroundJob({ backgroundJobs }: Needs) {
  return async (jobId: BackgroundJobId): Promise<{ readonly cancelled: boolean }> => {
    const cancelled = await backgroundJobs.cancel(jobId)
    if (!cancelled && (await backgroundJobs.find(jobId)) === undefined) jobNotFound()
    return { cancelled }
  }
}

/** An error as any other one, with one more member, by which clients tell it from an unknown path. */
function jobNotFound(): never {
  return rejectWith('NOT_FOUND', { error: 'job_not_found' })
}

function objectOf(job: BackgroundJobRecord): BackgroundJobObject {
  const hasEnded = job.status === 'succeeded' || job.status === 'cancelled'
  return {
    job_id: job.jobId,
    task_type: job.task,
    status: job.status,
    progress_current: job.done,
    progress_total: job.total,
    progress_message: null,
    error_message: job.errorMessage,
    created_at: job.createdAt,
    started_at: job.startedAt,
    completed_at: job.completedAt,
    requested_by_user_id: job.requestedBy,
    audit_log_reason: job.reason,
    jet_stream_lane: 'batch',
    jet_stream_seq: null,
    attempts: job.attempts,
    max_attempts: jobAttempts_max,
    run_at: job.runAt,
    cancel_requested: job.cancelRequested,
    context_link: null,
    payload: job.payload,
    result: hasEnded || job.results ? { done: job.done, ...countsOf(job) } : null,
  }
}

/** Each result is named, also where no item came to it. */
function countsOf({ results }: Pick<BackgroundJobRecord, 'results'>): Readonly<Record<string, number>> {
  return results === null ? {} : Object.fromEntries(itemResults.map((result) => [result, results[result] ?? 0]))
}
