import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import type { JobTiming } from './timing.ts'

/** The heartbeat of a worker. */
export interface Liveness {
  /** Aborts once the worker was silent for `silence_ms_max`: it has to give up its jobs, because others will take them. */
  readonly lost: AbortSignal
  /** Call it when the worker has no jobs left: other workers treat a worker with jobs and without a heartbeat as dead. */
  end(): Promise<void>
}

export interface LivenessSettings {
  readonly database: Queries
  /** The worker's name, which stands on its jobs. */
  readonly name: string
  readonly timing: Pick<JobTiming, 'heartbeat_ms' | 'poll_ms' | 'silence_ms_max'>
  /** The tasks that the worker carries out, and how many of their jobs at once. */
  readonly tasks: readonly string[]
  readonly atOnce: number
  /** Called when a heartbeat finds jobs that are due and that nobody has taken, with their number, at most `atOnce`. */
  readonly onDue: (jobs: number) => void
  readonly onError: (error: unknown) => void
}

/** A job that became due less than this ago has just been announced, so some worker is about to take it. */
const announced_s = 0.25

const nothing = z.object({})
const dueRow = z.object({ due: z.int() })
const mayRow = z.object({ may: z.boolean() })
const named = z.object({ name: z.string() })
const identified = z.object({ id: z.string() })

/**
 * Sends a worker's heartbeat, now and every `heartbeat_ms`, and looks for due jobs in the same statement, every `poll_ms`; the
 * shorter interval counts for both. The database's clock, which all workers share, decides who is alive; this process's own clock
 * decides how long it was silent. So clocks may differ.
 */
export function keepAlive(settings: LivenessSettings): Liveness {
  const { database, name, timing, onError } = settings
  const lost = new AbortController()
  const over = new AbortController()
  let silence = setTimeout(() => lost.abort(), timing.silence_ms_max)
  const beat = async (): Promise<void> => {
    const began_ms = performance.now()
    const { due } = await beatAndLook(settings)
    clearTimeout(silence)
    // Counted from when the beat was sent: the database saw it then or later.
    const left_ms = timing.silence_ms_max - (performance.now() - began_ms)
    silence = setTimeout(() => lost.abort(), Math.max(0, left_ms))
    if (due > 0 && !over.signal.aborted) settings.onDue(due)
  }
  const beating = (async () => {
    while (!over.signal.aborted) {
      await beat().catch(onError)
      await pause(Math.min(timing.heartbeat_ms, timing.poll_ms), over.signal)
    }
  })()
  return {
    lost: lost.signal,
    async end() {
      over.abort()
      clearTimeout(silence)
      await beating
      clearTimeout(silence)
      await database
        .any(sql.type(nothing)`delete from job_workers.workers where name = ${name}`)
        .catch((error: unknown) => onError(error))
    },
  }
}

function beatAndLook({ database, name, tasks, atOnce }: LivenessSettings): Promise<z.output<typeof dueRow>> {
  return database.one(sql.type(dueRow)`
    with beat as (
      insert into job_workers.workers (name, seen_at) values (${name}, now())
      on conflict (name) do update set seen_at = excluded.seen_at
    )
    select count(*)::int as due from (
      select from job_queue._private_jobs j join job_queue._private_tasks t on t.id = j.task_id
      where j.is_available and j.run_at <= now() - make_interval(secs => ${announced_s}) and t.identifier = any(${sql.array([...tasks], 'text')})
      limit ${atOnce}
    ) untaken`)
}

/** The names of dead workers, and the ids of jobs that no worker can be running any more. */
export interface GivenBack {
  readonly workers: readonly string[]
  readonly jobs: readonly string[]
}

/**
 * Releases the jobs of dead workers, and jobs that were taken longer ago than any job may run: a worker whose connection broke
 * while it took a job has it without knowing. A job keeps its count of attempts, so a job that kills its workers ends too.
 * Graphile-worker itself would release both after four hours.
 */
export async function giveBack(
  database: Queries,
  { dead_ms, run_ms_max }: Pick<JobTiming, 'dead_ms' | 'run_ms_max'>,
): Promise<GivenBack> {
  const dead_s = dead_ms / 1000
  if (!(await mayGiveBack(database, dead_s))) return { workers: [], jobs: [] }
  const workers = await database.any(sql.type(named)`
    with dead as (
      select distinct locked_by as name from job_queue.jobs j
      where locked_at < now() - make_interval(secs => ${dead_s}) and not exists (
        select from job_workers.workers w
        where w.name = j.locked_by and w.seen_at > now() - make_interval(secs => ${dead_s})
      )
    ), given_back as materialized (
      select job_queue.force_unlock_workers(array_agg(name)) from dead having count(*) > 0
    )
    select name from dead where exists (select from given_back)`)
  const jobs = await database.any(sql.type(identified)`
    update job_queue._private_jobs set locked_at = null, locked_by = null
    where locked_at < now() - make_interval(secs => ${dead_s + run_ms_max / 1000}) returning id`)
  await database.any(sql.type(nothing)`
    delete from job_workers.workers w where seen_at < now() - make_interval(secs => ${dead_s * 10})
      and not exists (select from job_queue.jobs j where j.locked_by = w.name)`)
  return { workers: workers.map(({ name }) => name), jobs: jobs.map(({ id }) => id) }
}

/** Whether a job was taken longer ago than a worker may be silent, or a worker is long dead. Usually neither. */
async function mayGiveBack(database: Queries, dead_s: number): Promise<boolean> {
  const { may } = await database.one(sql.type(mayRow)`
    select exists (select from job_queue._private_jobs where locked_at < now() - make_interval(secs => ${dead_s}))
      or exists (select from job_workers.workers where seen_at < now() - make_interval(secs => ${dead_s * 10})) as may`)
  return may
}
