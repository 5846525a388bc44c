import { z } from 'zod'
import type {
  BackgroundJobRecord,
  BackgroundJobs,
  CausedJob,
  ItemOutcome,
} from '../../application/ports/background-jobs.ts'
import { itemResults, jobStatuses } from '../../application/administration/jobs/job-statuses.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AccountId, BackgroundJobId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

const isText = (value: unknown): boolean => typeof value === 'string'
export const jobIdColumn = z.custom<BackgroundJobId>(isText)
export const accountColumn = z.custom<AccountId>(isText)
export const instantColumn = z.custom<Timestamp>(isText)
const nothing = z.object({})

const jobRow = z
  .object({
    job_id: jobIdColumn,
    task: z.string(),
    status: z.enum(jobStatuses),
    payload: z.record(z.string(), z.union([z.string(), z.number()])),
    done: z.int(),
    total: z.int(),
    results: z.partialRecord(z.enum(itemResults), z.int()).nullable(),
    error_message: z.string().nullable(),
    requested_by: accountColumn,
    reason: z.string().nullable(),
    attempts: z.int(),
    cancel_requested: z.boolean(),
    created_at: instantColumn,
    run_at: instantColumn,
    started_at: instantColumn.nullable(),
    completed_at: instantColumn.nullable(),
  })
  .transform((row): BackgroundJobRecord => ({
    jobId: row.job_id,
    task: row.task,
    status: row.status,
    payload: row.payload,
    done: row.done,
    total: row.total,
    results: row.results,
    errorMessage: row.error_message,
    requestedBy: row.requested_by,
    reason: row.reason,
    attempts: row.attempts,
    cancelRequested: row.cancel_requested,
    createdAt: row.created_at,
    runAt: row.completed_at === null ? row.run_at : null,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  }))

const columns = sql.fragment`job_id, task, status, payload, done, total, error_message, requested_by, reason, attempts,
  cancel_requested, created_at, run_at, started_at, completed_at,
  (select jsonb_object_agg(outcome, items) from (
    select outcome, count(*) as items from background_jobs.outcomes o where o.job_id = jobs.job_id group by outcome
  ) counted) as results`

const causedRow = z
  .object({
    job_id: jobIdColumn,
    causation_id: z.string(),
    task: z.string(),
    status: z.enum(jobStatuses),
    created_at: instantColumn,
  })
  .transform((row): CausedJob => ({
    jobId: row.job_id,
    causationId: row.causation_id,
    task: row.task,
    status: row.status,
    createdAt: row.created_at,
  }))

const outcomeRow = z
  .object({ item_id: z.string(), outcome: z.enum(itemResults), code: z.string().nullable() })
  .transform(({ item_id: id, outcome, code }): ItemOutcome => ({ id, outcome, code }))

/** Jobs in a table of their own. */
export function postgresBackgroundJobs(database: Queries): BackgroundJobs {
  return {
    async add({ jobId, task, work, payload, total, requestedBy, reason, commandId, cause, createdAt }) {
      await database.any(sql.type(nothing)`
        insert into background_jobs.jobs
          (job_id, task, status, payload, work, total, requested_by, reason, command_id, created_at,
          correlation_id, causation_id, operation)
        values (${jobId}, ${task}, 'queued', ${JSON.stringify(payload)}::jsonb, ${JSON.stringify(work)}::jsonb, ${total},
          ${requestedBy}, ${reason}, ${commandId}, ${createdAt},
          ${cause.correlationId}, ${cause.causationId}, ${cause.operation ?? null})
        on conflict (job_id) do nothing`)
    },
    find: (jobId) =>
      database.maybeOne(sql.type(jobRow)`select ${columns} from background_jobs.jobs where job_id = ${jobId}`),
    outcomes: (jobId) =>
      database.any(sql.type(outcomeRow)`
        select item_id, outcome, code from background_jobs.outcomes where job_id = ${jobId} order by position`),
    list: ({ limit, before, since, status, task, requestedBy }) =>
      database.any(sql.type(jobRow)`
        select ${columns} from background_jobs.jobs
        where created_at >= ${since}
          and (${before?.createdAt ?? null}::timestamptz is null
            or (created_at, job_id) < (${before?.createdAt ?? null}, ${before?.jobId ?? null}::int8))
          and (${status}::text is null or status = ${status})
          and (${task}::text is null or task = ${task})
          and (${requestedBy}::int8 is null or requested_by = ${requestedBy})
        order by created_at desc, job_id desc limit ${limit}`),
    ofRequest: (correlationId, limit) =>
      database.any(sql.type(causedRow)`
        select job_id, causation_id, task, status, created_at from background_jobs.jobs
        where correlation_id = ${correlationId} order by created_at, job_id limit ${limit}`),
    active: (limit) =>
      database.any(sql.type(jobRow)`
        select ${columns} from background_jobs.jobs where status in ('queued', 'running')
        order by created_at desc, job_id desc limit ${limit}`),
    cancel: async (jobId) => (await cancel(database, jobId)) !== undefined,
  }
}

/** One statement, so that a cancellation and the end of a job see each other: the first one wins. */
function cancel(database: Queries, jobId: BackgroundJobId) {
  return database.maybeOne(sql.type(z.object({ job_id: jobIdColumn }))`
    update background_jobs.jobs set
      cancel_requested = true,
      status = case when status = 'queued' then 'cancelled' else status end,
      completed_at = case when status = 'queued' then now() else completed_at end,
      work = case when status = 'queued' then null else work end
    where job_id = ${jobId} and status in ('queued', 'running', 'cancelled') returning job_id`)
}
