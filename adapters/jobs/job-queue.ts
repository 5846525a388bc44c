import { z } from 'zod'
import { atMost, inBatches } from '../../application/concurrency/batches.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { JobPayloads, Jobs, JobWishes } from '../../application/ports/jobs.ts'
import { JobRefused } from '../../application/failures/job-refused.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** The size of a payload as JSON. Jobs name what they work on; they do not carry it. */
export const payload_bytes_max = 65_536
/** The longest key of a job. */
export const jobKey_chars_max = 512

/** About 65 hours: waits grow as powers of e, from 2.7 seconds to 6.1 hours. */
export const stockAttempts_max = 20

/** The number of jobs of one task, by state. Jobs that succeeded are gone. */
export interface JobCounts {
  readonly task: string
  /** Includes jobs whose time has not come yet, and failed jobs that will be retried. */
  readonly waiting: number
  readonly atWork: number
  /** Jobs without attempts left, or with a payload that the task does not accept. They stay until an operator handles them. */
  readonly failedForGood: number
  /** How long the oldest job has been due that nobody has taken, in seconds; 0 without one. */
  readonly oldestDue_s: number
}

const added = z.object({ id: z.string() })
const counted = z
  .object({ task: z.string(), waiting: z.int(), at_work: z.int(), failed: z.int(), oldest_s: z.number() })
  .transform((row): JobCounts => ({
    task: row.task,
    waiting: row.waiting,
    atWork: row.at_work,
    failedForGood: row.failed,
    oldestDue_s: row.oldest_s,
  }))

/** A job to add, as `add_job` takes it. */
interface NewJob {
  readonly task: string
  readonly json: string
  readonly key: string | undefined
  readonly runAt: Timestamp | undefined
}

/** The most jobs that one statement adds, and that may wait for one. */
export const addedTogether_max = 256
export const waitingToBeAdded_max = 10_000

/**
 * Adds jobs to the queue of a database. The tables must exist (`layQueue`). Each job is tried `attempts_max` times. Jobs that are
 * added at the same time are stored by one statement, so that the disk is waited for once.
 */
export function jobQueue<Payloads = JobPayloads>(
  database: Queries,
  attempts_max: number = stockAttempts_max,
): Jobs<Payloads> {
  const batches = inBatches<NewJob, undefined>({
    run: async (jobs) => {
      await addAll(database, jobs, attempts_max)
      return jobs.map(() => undefined)
    },
    begin: atMost(addedTogether_max),
    refusal: ({ items }) =>
      items < waitingToBeAdded_max ? undefined : new Unavailable(`${items} jobs wait to be added`),
  })
  return {
    async add(task, payload, { key, runAt }: JobWishes = {}) {
      const json = jsonOf(payload)
      checkKey(key)
      await batches.add({ task, json, key, runAt })
    },
  }
}

/**
 * The keys are looked up first, so that adding an existing job, as scans do, writes nothing. The unique key decides races, and
 * between two jobs of one statement.
 */
async function addAll(database: Queries, jobs: readonly NewJob[], attempts_max: number): Promise<void> {
  const column = (member: keyof NewJob) => jobs.map((job) => job[member] ?? null)
  await database.any(sql.type(added)`
    select (job_queue.add_job(
      identifier => n.task, payload => n.payload::json, run_at => n.run_at, max_attempts => ${attempts_max}::int,
      job_key => n.key, job_key_mode => case when n.key is null then 'replace' else 'unsafe_dedupe' end
    )).id
    from unnest(
      ${sql.array(column('task'), 'text')}, ${sql.array(column('json'), 'text')},
      ${sql.array(column('key'), 'text')}, ${sql.array(column('runAt'), 'timestamptz')}
    ) n (task, payload, key, run_at)
    where n.key is null or not exists (select from job_queue.jobs j where j.key = n.key)`)
}

/** Counts the jobs in the queue: one row for each task that has any. */
export function countJobs(database: Queries): Promise<readonly JobCounts[]> {
  return database.any(sql.type(counted)`
    select task_identifier as task,
      count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
      count(*) filter (where locked_at is not null)::int as at_work,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (
        where locked_at is null and attempts < max_attempts and run_at <= now())), 0)::float8 as oldest_s
    from job_queue.jobs group by task_identifier order by task_identifier`)
}

function jsonOf(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw new JobRefused('The payload of a job is an object')
  const json = JSON.stringify(payload)
  const bytes = Buffer.byteLength(json)
  if (bytes > payload_bytes_max) throw new JobRefused(`A payload of ${bytes} bytes: at most ${payload_bytes_max}`)
  return json
}

function checkKey(key: string | undefined): void {
  if (key !== undefined && (key.length === 0 || key.length > jobKey_chars_max || key.includes('\0')))
    throw new JobRefused(`A key of ${key.length} characters: 1 to ${jobKey_chars_max}, without NUL`)
}
