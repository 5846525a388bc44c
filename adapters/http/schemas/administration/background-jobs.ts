import { z } from 'zod'
import { itemResults, jobStatuses } from '../../../../application/administration/jobs/job-statuses.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { queryInteger } from '../query-inputs.ts'
import { accountIdInput, backgroundJobIdInput, issue, textInput } from '../scalars.ts'
import { snowflakeOutput, timestampOutput } from '../../../../application/wire-objects/scalars.ts'

const page = { min: 1, max: 200, default: 50 }
const lookback_days = { min: 1, max: 60, default: 14 }

const instant = z.iso.datetime().transform((text) => new Date(text).toISOString() as Timestamp)

/** The three members of a cursor are given together or not at all. */
export const jobsQuery = z
  .object({
    limit: queryInteger(page, page.default),
    cursor_bucket_day: z.iso.date().optional(),
    cursor_created_at: instant.optional(),
    cursor_job_id: backgroundJobIdInput.optional(),
    max_lookback_days: queryInteger(lookback_days, lookback_days.default),
    status: z.enum(jobStatuses).optional(),
    task_type: textInput({ min: 1, max: 64 }).optional(),
    requested_by_user_id: accountIdInput.optional(),
  })
  .transform((query, context) => {
    const { cursor_bucket_day: day, cursor_created_at: createdAt, cursor_job_id: jobId } = query
    const before = createdAt !== undefined && jobId !== undefined && day !== undefined ? { createdAt, jobId } : null
    if (before === null && (day ?? createdAt ?? jobId) !== undefined) return issue(context, 'INVALID_FORMAT')
    return {
      limit: query.limit,
      before,
      lookback_days: query.max_lookback_days,
      status: query.status ?? null,
      task: query.task_type ?? null,
      requestedBy: query.requested_by_user_id ?? null,
    }
  })

const job = z
  .object({
    job_id: snowflakeOutput,
    task_type: z.string().describe('The name of the task.'),
    status: z.enum(jobStatuses),
    progress_current: z.int().nullable().describe('How much is done; null if it is not counted.'),
    progress_total: z.int().nullable().describe('How much there is to do; null if it is not counted.'),
    progress_message: z.string().nullable(),
    error_message: z.string().nullable().describe('Why it failed; null if it did not.'),
    created_at: timestampOutput,
    started_at: timestampOutput.nullable().describe('Null until it starts.'),
    completed_at: timestampOutput.nullable().describe('Null until then.'),
    requested_by_user_id: snowflakeOutput.nullable(),
    audit_log_reason: z.string().nullable(),
    jet_stream_lane: z
      .enum(['realtime', 'unfurl', 'lifecycle', 'batch', 'crosspost'])
      .describe('Which queue it waits in.'),
    jet_stream_seq: z.int().nullable().describe('Its number in the queue; null if it has none.'),
    attempts: z.int().describe('How often it was tried.'),
    max_attempts: z.int().describe('How often it is tried at most.'),
    run_at: timestampOutput.nullable(),
    cancel_requested: z.boolean().describe('Whether somebody has asked for its end.'),
    context_link: z.string().nullable(),
    payload: z.record(z.string(), z.union([z.string(), z.number()])),
    result: z.record(z.string(), z.number()).nullable(),
  })
  .meta({ id: 'BackgroundJob' })

const cursor = z.object({ bucket_day: z.string(), created_at: timestampOutput, job_id: snowflakeOutput })
export const jobsPage = z
  .object({ jobs: z.array(job).readonly(), next_cursor: cursor.nullable() })
  .meta({ id: 'BackgroundJobsPage' })
export const activeJobs = z.object({ jobs: z.array(job).readonly() })
const item = z.object({ id: snowflakeOutput, outcome: z.enum(itemResults), code: z.string().nullable() })
/** Get background job alone shows each item of a bulk job: there may be 1000. */
export const oneJob = z.object({
  job: job
    .extend({ result: z.record(z.string(), z.union([z.number(), z.array(item).readonly()])).nullable() })
    .meta({ id: 'BackgroundJobWithItems' }),
})
export const isCancelled = z.object({
  cancelled: z.boolean().describe('Whether it was cancelled: false if it had ended.'),
})
