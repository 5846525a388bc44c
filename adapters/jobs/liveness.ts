import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import { pause } from '../../application/concurrency/pauses.js'
import type { JobTiming } from './timing.js'

/** A worker that says that it lives. */
export interface Liveness {
  /** Aborts once the worker was silent for `silence_ms_max`: it has to give up its jobs, since others will take them. */
  readonly lost: AbortSignal
  /** To be called when the worker has no job any more: others take for dead whoever has jobs and is not alive. */
  end(): Promise<void>
}

type HeartbeatTiming = Pick<JobTiming, 'heartbeat_ms' | 'silence_ms_max'>

const nothing = z.object({})
const named = z.object({ name: z.string() })
const identified = z.object({ id: z.string() })

/**
 * Says that a worker lives, now and every `heartbeat_ms`. What counts is the database's clock, which all workers share, and
 * this process's own for how long it was silent, so clocks that differ do no harm.
 */
export function keepAlive(
  database: Queries,
  name: string,
  timing: HeartbeatTiming,
  onError: (error: unknown) => void,
): Liveness {
  const lost = new AbortController()
  const over = new AbortController()
  let silence = setTimeout(() => lost.abort(), timing.silence_ms_max)
  const beat = async (): Promise<void> => {
    const began_ms = performance.now()
    await database.any(sql.type(nothing)`
      insert into job_workers.workers (name, seen_at) values (${name}, now())
      on conflict (name) do update set seen_at = excluded.seen_at`)
    clearTimeout(silence)
    // Counted from when the beat was sent: the database has seen it then or later.
    const left_ms = timing.silence_ms_max - (performance.now() - began_ms)
    silence = setTimeout(() => lost.abort(), Math.max(0, left_ms))
  }
  const beating = (async () => {
    while (!over.signal.aborted) {
      await beat().catch(onError)
      await pause(timing.heartbeat_ms, over.signal)
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

/** What was given back: the names of dead workers, and the ids of jobs that nobody can be at work on any more. */
export interface GivenBack {
  readonly workers: readonly string[]
  readonly jobs: readonly string[]
}

/**
 * Gives back the jobs of workers that died with them, and jobs that were taken longer ago than any job may take: a worker
 * whose connection broke as it took one has it and does not know. A job keeps its count of attempts, so one that kills
 * whoever takes it ends too. Graphile-worker alone would give both back after four hours.
 */
export async function giveBack(
  database: Queries,
  { dead_ms, run_ms_max }: Pick<JobTiming, 'dead_ms' | 'run_ms_max'>,
): Promise<GivenBack> {
  const dead_s = dead_ms / 1000
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
