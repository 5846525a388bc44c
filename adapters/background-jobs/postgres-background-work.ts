import { z } from 'zod'
import type { BackgroundWork, BegunJob, ItemOutcome } from '../../application/ports/background-jobs.ts'
import { jobAttempts_max } from '../../application/administration/jobs/job-statuses.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { BackgroundJobId } from '../../domain/ids/ids.ts'
import { accountColumn, instantColumn, jobIdColumn } from './postgres-background-jobs.ts'

/** After so many days a job that nobody has begun is given up. */
const unbegun_days_max = 7
const kept_days = 90
/** The pause before a failed try is repeated; it doubles after each further failure. */
const retry_s = 5
const why_chars_max = 1000

const nothing = z.object({})
const named = z.object({ job_id: jobIdColumn }).transform(({ job_id: id }) => id)
const ended = z.object({ status: z.string() })

const begunRow = z
  .object({
    job_id: jobIdColumn,
    task: z.string(),
    work: z.unknown(),
    done: z.int(),
    total: z.int(),
    requested_by: accountColumn,
    reason: z.string().nullable(),
    command_id: z.string(),
    correlation_id: z.string().nullable(),
    causation_id: z.string().nullable(),
    operation: z.string().nullable(),
    created_at: instantColumn,
    status: z.string(),
  })
  .transform((row): BegunJob & { readonly status: string } => ({
    jobId: row.job_id,
    task: row.task,
    work: row.work,
    done: row.done,
    total: row.total,
    requestedBy: row.requested_by,
    reason: row.reason,
    commandId: row.command_id,
    // A job of a version before begins a chain of its own.
    cause: {
      correlationId: row.correlation_id ?? row.command_id,
      causationId: row.causation_id ?? row.command_id,
      operation: row.operation ?? undefined,
    },
    createdAt: row.created_at,
    status: row.status,
  }))

/** The table of jobs, as workers use it. */
export function postgresBackgroundWork(database: Queries): BackgroundWork {
  const run = async (jobId: BackgroundJobId, change: ReturnType<typeof changeOf>): Promise<string | undefined> =>
    (
      await database.maybeOne(sql.type(ended)`
        update background_jobs.jobs set ${change} where job_id = ${jobId} and status = 'running' returning status`)
    )?.status
  return {
    due: (limit) =>
      database.any(sql.type(named)`
        select job_id from background_jobs.jobs where status in ('queued', 'running') and run_at <= now()
        order by run_at limit ${limit}`),
    begin: (jobId) => begin(database, jobId),
    progress: async (jobId, done, outcomes = []) => {
      if (outcomes.length > 0) await writeOutcomes(database, jobId, done, outcomes)
      return (await run(jobId, changeOf('running', sql.fragment`done = ${done}`))) === 'running'
    },
    pause: async (jobId) => {
      await run(jobId, changeOf('queued', sql.fragment`attempts = attempts - 1, run_at = now()`))
    },
    succeed: async (jobId) => {
      await run(jobId, changeOf('succeeded', sql.fragment`error_message = null`))
    },
    withdraw: async (jobId) => {
      await run(jobId, changeOf('cancelled', sql.fragment`error_message = null`))
    },
    fail: (jobId, why, { forGood } = { forGood: false }) =>
      fail(database, jobId, why.slice(0, why_chars_max), afterFailure(forGood ? 1 : jobAttempts_max)),
    sweep: () => sweep(database),
  }
}

/** Written before the progress: a worker that dies between the two writes the same rows again. */
async function writeOutcomes(
  database: Queries,
  jobId: BackgroundJobId,
  done: number,
  outcomes: readonly ItemOutcome[],
): Promise<void> {
  const [ids, results, codes] = [
    outcomes.map(({ id }) => id),
    outcomes.map(({ outcome }) => outcome),
    outcomes.map(({ code }) => code),
  ]
  await database.any(sql.type(nothing)`
    insert into background_jobs.outcomes (job_id, position, item_id, outcome, code)
    select ${jobId}, ${done - outcomes.length} + n - 1, id, outcome, code
    from unnest(${sql.array(ids, 'int8')}, ${sql.array(results, 'text')}, ${sql.array(codes, 'text')})
      with ordinality as item (id, outcome, code, n)
    on conflict (job_id, position) do update set outcome = excluded.outcome, code = excluded.code`)
}

/** Changes a running job to its next status, or to cancelled if its cancellation was already promised to somebody. */
function changeOf(next: 'running' | 'queued' | 'succeeded' | 'cancelled', others: ReturnType<typeof sql.fragment>) {
  const ends = next === 'succeeded' || next === 'cancelled'
  return sql.fragment`${others},
    status = case when cancel_requested then 'cancelled' else ${next} end,
    completed_at = case when cancel_requested or ${ends} then now() end,
    work = case when cancel_requested or ${ends} then null else work end`
}

/** A job that is found running was left behind by a worker that died. That counts as a try. */
async function begin(database: Queries, jobId: BackgroundJobId): Promise<BegunJob | undefined> {
  const begun = await database.maybeOne(sql.type(begunRow)`
    update background_jobs.jobs set
      attempts = least(attempts + 1, ${jobAttempts_max}),
      started_at = coalesce(started_at, now()),
      status = ${nextStatus},
      error_message = case when attempts >= ${jobAttempts_max} and not cancel_requested
        then 'Whoever worked on it died each time' else error_message end,
      completed_at = case when ${nextStatus} = 'running' then null else now() end,
      work = case when ${nextStatus} = 'running' then work end
    where job_id = ${jobId} and status in ('queued', 'running') and run_at <= now()
    returning job_id, task, work, done, total, requested_by, reason, command_id,
      correlation_id, causation_id, operation, created_at, status`)
  return begun?.status === 'running' ? begun : undefined
}

const nextStatus = sql.fragment`(case when cancel_requested then 'cancelled'
  when attempts >= ${jobAttempts_max} then 'deadletter' else 'running' end)`

async function fail(
  database: Queries,
  jobId: BackgroundJobId,
  why: string,
  next: ReturnType<typeof afterFailure>,
): Promise<void> {
  await database.any(sql.type(nothing)`
    update background_jobs.jobs set
      error_message = ${why},
      status = ${next},
      run_at = now() + make_interval(secs => ${retry_s} * 2 ^ attempts),
      completed_at = case when ${next} = 'queued' then null else now() end,
      work = case when ${next} = 'queued' then work end
    where job_id = ${jobId} and status = 'running'`)
}

const afterFailure = (attempts_max: number) =>
  sql.fragment`(case when cancel_requested then 'cancelled'
  when attempts >= ${attempts_max} then 'deadletter' else 'queued' end)`

async function sweep(database: Queries): Promise<void> {
  await database.any(sql.type(nothing)`
    update background_jobs.jobs set status = 'deadletter', completed_at = now(), work = null,
      error_message = coalesce(error_message, 'Nobody began it in time')
    where status = 'queued' and created_at < now() - make_interval(days => ${unbegun_days_max})`)
  await database.any(sql.type(nothing)`
    delete from background_jobs.jobs
    where status not in ('queued', 'running') and created_at < now() - make_interval(days => ${kept_days})`)
}
