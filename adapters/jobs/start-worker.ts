import { EventEmitter } from 'node:events'
import type { Runner, WorkerPool } from 'graphile-worker'
import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.ts'
import { forgiveSecondRelease, hearBreakingConnections } from './breaking-connections.ts'
import { carryOut } from './carry-out.ts'
import { layQueue, queueSchema } from './lay-queue.ts'
import { giveBack, keepAlive, type Liveness } from './liveness.ts'
import { pause, unlessLate } from '../../application/concurrency/pauses.ts'
import { startRounds, type Round } from './rounds.ts'
import type { Task } from './task.ts'
import type { JobTiming } from './timing.ts'
import { workerLogger } from './worker-logger.ts'

/** The jobs that one worker runs at once, unless its settings say otherwise. */
export const jobsAtOnce = 4
/**
 * One connection on which the library listens, and two to take and end jobs and for the heartbeat. A job that runs holds none, so a
 * worker may run more jobs than it has connections. A worker opens all of them as it starts, when each of its runners looks for a job.
 */
export const workerConnections_max = 3

export interface WorkerSettings {
  /** The worker's own database pool, with at least `workerConnections_max` connections. */
  readonly database: PostgresDatabase
  readonly tasks: Readonly<Record<string, Task<unknown>>>
  /** Default: `jobsAtOnce`. */
  readonly atOnce?: number
  readonly rounds: readonly Round[]
  readonly logger: Logger
  readonly timing: JobTiming
}

export interface Worker {
  /** Whether the tables of the queue are known to exist. */
  readonly hasQueue: boolean
  /**
   * Takes no more jobs, and resolves once the current ones are done. After `stop_ms_max` it gives up the rest, which other
   * workers retry.
   */
  stop(): Promise<void>
}

/** How often each runner of jobs looks by itself, in case nothing wakes it. */
const ownLook_ms = 60_000
const restart_ms_min = 500
const restart_ms_max = 15_000
/** How long the database gets for a stopping worker's last statements. */
const afterStop_ms_max = 3000

/**
 * Runs the jobs of a database, `atOnce` at a time, until it is stopped. It starts after `start_ms` and never fails: at
 * first and after every break, it retries its database setup every 0.5 to 15 seconds.
 */
export function startWorker(settings: WorkerSettings): Worker {
  const { database, logger } = settings
  hearBreakingConnections(database, logger)
  forgiveSecondRelease(database)
  const stopping = new AbortController()
  let hasQueue = false
  const working = workUntilStopped(settings, stopping.signal, () => {
    hasQueue = true
  })
  return {
    get hasQueue() {
      return hasQueue
    },
    stop: () => {
      stopping.abort()
      return working
    },
  }
}

async function workUntilStopped(settings: WorkerSettings, stopping: AbortSignal, laid: () => void): Promise<void> {
  const { database, logger, timing } = settings
  const rounds = [...settings.rounds, givingBack(settings)]
  let roundsAtWork: ReturnType<typeof startRounds> | undefined
  let failures = 0
  await pause(timing.start_ms, stopping)
  while (!stopping.aborted) {
    try {
      await layQueue(database, logger)
      laid()
      roundsAtWork ??= startRounds({ database, rounds, onError: roundFailure(logger) })
      failures = 0
      await workUntilBroken(settings, stopping)
    } catch (error) {
      failures += 1
      logger.error({ err: error }, 'the job queue is not available')
    }
    await pause(Math.min(restart_ms_min * 2 ** Math.min(failures, 10), restart_ms_max), stopping)
  }
  await unlessLate(roundsAtWork?.stop(), timing.stop_ms_max)
}

/** Works until told to stop, until graphile-worker ends by itself, or until other workers may consider this one dead. */
async function workUntilBroken(settings: WorkerSettings, stopping: AbortSignal): Promise<void> {
  const { database, tasks, atOnce = jobsAtOnce, logger, timing } = settings
  const alive: { liveness?: Liveness } = {}
  const events = new EventEmitter()
  let isEnding = false
  // This event comes before the first job is taken. The name on the jobs is then the name with the heartbeat.
  events.on('pool:create', ({ workerPool }: { readonly workerPool: Pick<WorkerPool, 'id' | 'nudge'> }) => {
    alive.liveness = keepAlive({
      database,
      name: workerPool.id,
      timing,
      tasks: Object.keys(tasks),
      atOnce,
      onDue: (jobs) => {
        if (!isEnding) workerPool.nudge(jobs)
      },
      onError: (error) => logger.warn({ err: error }, 'a job worker could not send its heartbeat'),
    })
  })
  const lost = (): AbortSignal => alive.liveness?.lost ?? stopping
  const blind = cannotLook(events, logger)
  const runner = await runGraphile(settings, events, lost)
  await untilAborted(runner.promise, [stopping, lost(), blind])
  isEnding = true
  // `stop` rejects if it is stopping already; the wait below covers that. It does not wait for a database that hangs: jobs left
  // under the old name are released once that name counts as dead.
  const stopped = runner.stop().catch((error: unknown) => logger.debug({ err: error }, 'the job worker had stopped'))
  const ended = stopped.then(() => runner.promise.catch(() => undefined))
  await unlessLate(ended, timing.stop_ms_max + afterStop_ms_max)
  await unlessLate(alive.liveness?.end(), afterStop_ms_max)
}

/**
 * Aborts if the first search for jobs fails: graphile-worker looks up the names of its tasks once, keeps a failure of that for
 * good, and would continue without ever taking a job. It retries later searches by itself.
 */
function cannotLook(events: EventEmitter, logger: Logger): AbortSignal {
  const blind = new AbortController()
  let hasLooked = false
  const looked = (): void => {
    hasLooked = true
  }
  events.on('worker:getJob:empty', looked)
  events.on('job:start', looked)
  events.on('worker:getJob:error', ({ error }: { readonly error: Error }) => {
    if (hasLooked || blind.signal.aborted) return
    logger.warn({ err: error }, 'a job worker could not look for jobs and starts again')
    blind.abort()
  })
  return blind.signal
}

async function runGraphile(
  { database, tasks, atOnce = jobsAtOnce, logger, timing }: WorkerSettings,
  events: EventEmitter,
  lost: () => AbortSignal,
): Promise<Runner> {
  const { Logger: LoggerClass, run } = await import('graphile-worker')
  // Nobody else calls it. The library tells its logger how each of its runners ended, and the console too, in many lines.
  // oxlint-disable-next-line no-console
  console.trace = () => undefined
  const carrying = { logger, run_ms_max: timing.run_ms_max, lost }
  return run({
    pgPool: database.pool,
    schema: queueSchema,
    taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, carryOut(name, task, carrying)])),
    concurrency: atOnce,
    // New jobs are announced, and a heartbeat that finds due ones wakes as many.
    pollInterval: Math.max(timing.poll_ms, ownLook_ms),
    gracefulShutdownAbortTimeout: timing.stop_ms_max,
    logger: workerLogger(LoggerClass, logger),
    events,
    noHandleSignals: true,
    parsedCronItems: [],
    // Without batches, no caller waits for the promise that reports a job's end: one broken connection would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
}

function givingBack({ database, logger, timing }: WorkerSettings): Round {
  return {
    name: 'give_back_jobs',
    every_ms: timing.giveBack_ms,
    run: async () => {
      const given = await giveBack(database, timing)
      if (given.workers.length > 0 || given.jobs.length > 0)
        logger.warn(given, 'released jobs that no worker is running')
    },
  }
}

function roundFailure(logger: Logger): (error: unknown, round: string) => void {
  return (error, round) => logger.warn({ err: error, round }, 'a round of the job workers failed')
}

/** Resolves when a promise settles or one of the signals aborts. */
async function untilAborted(promise: Promise<unknown>, signals: readonly AbortSignal[]): Promise<void> {
  const left = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    for (const signal of signals) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { signal: left.signal })
    }
  })
  await Promise.race([promise.catch(() => undefined), aborted])
  left.abort()
}
