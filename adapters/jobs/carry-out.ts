import type { JobHelpers } from 'graphile-worker'
import type { Logger } from 'pino'
import { asError } from '../../application/concurrency/as-error.ts'
import { openWork, working } from '../../application/observation/at-work.ts'
import { JobGivenUp } from '../../application/failures/job-given-up.ts'
import type { JobAtWork, Task } from './task.ts'

/** What a worker needs to run its jobs. */
export interface CarryingOut {
  readonly logger: Logger
  readonly run_ms_max: number
  /** Aborts when the worker has lost contact with the database: other workers may take its jobs soon. */
  readonly lost: () => AbortSignal
}

/** The members of a job that are logged or passed to its task. */
type JobRow = Pick<JobHelpers['job'], 'id' | 'attempts' | 'max_attempts' | 'key'>

const storedError_chars_max = 1000

/**
 * Wraps a task as the function that graphile-worker calls for each job. If it rejects, the job is retried, later each time, up
 * to its number of attempts. A payload that the task refuses, and JobGivenUp, fail the job for good at once. Failed jobs stay in
 * the queue.
 */
export function carryOut(name: string, task: Task<unknown>, { logger, run_ms_max, lost }: CarryingOut) {
  return async (raw: unknown, helpers: JobHelpers): Promise<void> => {
    const { job } = helpers
    const about = { task: name, job: job.id, key: job.key, attempt: job.attempts, attempts_max: job.max_attempts }
    const parsed = task.payload.safeParse(raw)
    if (!parsed.success) {
      await useUpAttempts(helpers)
      // The issues of a parse name paths and expectations. The values themselves stay out of the log.
      logger.error(
        { ...about, issues: parsed.error.issues.map(({ path, code }) => ({ path, code })) },
        'a job was parked',
      )
      throw new Error('The payload is not one of this task')
    }
    try {
      await withinTime({ name: `job ${name}`, task }, parsed.data, job, {
        run_ms_max,
        ends: [helpers.abortSignal, lost()],
      })
    } catch (error) {
      const isGivenUp = error instanceof JobGivenUp
      if (isGivenUp) await useUpAttempts(helpers)
      const isLast = isGivenUp || job.attempts >= job.max_attempts
      if (isLast) logger.error({ ...about, err: error }, 'a job failed for good')
      else logger.warn({ ...about, err: error }, 'a job failed and will be tried again')
      throw new Error(storable(error), { cause: error })
    }
  }
}

interface Bounds {
  readonly run_ms_max: number
  readonly ends: readonly AbortSignal[]
}

/**
 * Runs a task until it settles, its time is over, or one of the signals aborts. A task that ignores its signal is left running.
 */
async function withinTime(
  { name, task }: { readonly name: string; readonly task: Task<unknown> },
  payload: unknown,
  row: JobRow,
  bounds: Bounds,
): Promise<void> {
  const end = new AbortController()
  const giveUp = (): void => end.abort(new Error('The worker gave the job up'))
  const timer = setTimeout(
    () => end.abort(new Error(`The job took longer than ${bounds.run_ms_max} ms`)),
    bounds.run_ms_max,
  )
  for (const signal of bounds.ends) signal.addEventListener('abort', giveUp)
  if (bounds.ends.some(({ aborted }) => aborted)) giveUp()
  const endWork = openWork(name)
  const job: JobAtWork = { signal: end.signal, attempt: row.attempts }
  try {
    await Promise.race([rejectionOf(end.signal), working(name, () => task.run(payload, job))])
  } finally {
    endWork()
    clearTimeout(timer)
    for (const signal of bounds.ends) signal.removeEventListener('abort', giveUp)
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const rejected = (): void => reject(asError(signal.reason))
    if (signal.aborted) rejected()
    else signal.addEventListener('abort', rejected, { once: true })
  })
}

/** Makes the next failure the last one: graphile-worker has no other way to give up a locked job for good. */
async function useUpAttempts({ job, withPgClient }: JobHelpers): Promise<void> {
  await withPgClient((client) =>
    client.query('update job_queue._private_jobs set attempts = max_attempts where id = $1', [job.id]),
  )
}

/**
 * An error as text that Postgres can store: without NUL and without halves of surrogate pairs, either of which would stop the
 * queue.
 */
function storable(error: unknown): string {
  const text = error instanceof Error ? error.message : 'Something other than an error was thrown'
  return Buffer.from(text.slice(0, storedError_chars_max)).toString().replaceAll('\0', '')
}
