import { EventEmitter } from 'node:events'
import type { Runner } from 'graphile-worker'
import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.js'
import { hearBreakingConnections } from './breaking-connections.js'
import { carryOut } from './carry-out.js'
import { layQueue, queueSchema } from './lay-queue.js'
import { giveBack, keepAlive, type Liveness } from './liveness.js'
import { pause } from '../../application/concurrency/pauses.js'
import { startRounds, type Round } from './rounds.js'
import type { Task } from './task.js'
import type { JobTiming } from './timing.js'
import { workerLogger } from './worker-logger.js'

/** Jobs that one worker does at once. */
export const jobsAtOnce = 4
/** One to listen, one to say that it lives, and one a job. */
export const workerConnections_max = jobsAtOnce + 2

export interface WorkerSettings {
  /** The worker's own: at least `workerConnections_max` connections. */
  readonly database: PostgresDatabase
  readonly tasks: Readonly<Record<string, Task<unknown>>>
  readonly rounds: readonly Round[]
  readonly logger: Logger
  readonly timing: JobTiming
}

export interface Worker {
  /** Whether the tables of the queue are known to be there. */
  readonly hasQueue: boolean
  /**
   * Takes no more jobs, and resolves once those at work are done; after `stop_ms_max` the rest is given up, to be tried again
   * by whoever takes it.
   */
  stop(): Promise<void>
}

const restart_ms_min = 500
const restart_ms_max = 15_000
/** What the database gets for the last words of a worker. */
const afterStop_ms_max = 3000

/**
 * Does the jobs of a database, `jobsAtOnce` at a time, until it is stopped. It begins `start_ms` later and never fails: what
 * it needs of the database it tries again until it has it, at first and after every break, 0.5 to 15 seconds later.
 */
export function startWorker(settings: WorkerSettings): Worker {
  const { database, logger } = settings
  hearBreakingConnections(database, logger)
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
      logger.error({ err: error }, 'the job queue cannot be worked on')
    }
    await pause(Math.min(restart_ms_min * 2 ** Math.min(failures, 10), restart_ms_max), stopping)
  }
  await atMost(timing.stop_ms_max, roundsAtWork?.stop())
}

/** Works until told to stop, until graphile-worker ends by itself, or until others may take this worker for dead. */
async function workUntilBroken(settings: WorkerSettings, stopping: AbortSignal): Promise<void> {
  const { database, logger, timing } = settings
  const alive: { liveness?: Liveness } = {}
  const events = new EventEmitter()
  // Told before the first job is taken, and the name on its jobs is the one that lives.
  events.on('pool:create', ({ workerPool }: { readonly workerPool: { readonly id: string } }) => {
    alive.liveness = keepAlive(database, workerPool.id, timing, (error) => {
      logger.warn({ err: error }, 'a job worker could not say that it lives')
    })
  })
  const lost = (): AbortSignal => alive.liveness?.lost ?? stopping
  const blind = cannotLook(events, logger)
  const runner = await runGraphile(settings, events, lost)
  await untilAborted(runner.promise, [stopping, lost(), blind])
  // Stopping rejects where it stops already, which the wait after it covers. A database that hangs is not waited for: what
  // stays taken under the old name is given back once that name is dead.
  const stopped = runner.stop().catch((error: unknown) => logger.debug({ err: error }, 'the job worker had stopped'))
  await atMost(
    timing.stop_ms_max + afterStop_ms_max,
    stopped.then(() => runner.promise.catch(() => undefined)),
  )
  await atMost(afterStop_ms_max, alive.liveness?.end())
}

/**
 * Aborts where the first look for jobs fails: graphile-worker asks for the names of its tasks once, keeps a failure of that
 * for good, and would go on without ever taking a job. Looks that fail later are made again by itself.
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
    logger.warn({ err: error }, 'a job worker could not look for jobs and begins anew')
    blind.abort()
  })
  return blind.signal
}

async function runGraphile(
  { database, tasks, logger, timing }: WorkerSettings,
  events: EventEmitter,
  lost: () => AbortSignal,
): Promise<Runner> {
  const { Logger: LoggerClass, run } = await import('graphile-worker')
  const carrying = { logger, run_ms_max: timing.run_ms_max, lost }
  return run({
    pgPool: database.pool,
    schema: queueSchema,
    taskList: Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, carryOut(name, task, carrying)])),
    concurrency: jobsAtOnce,
    pollInterval: timing.poll_ms,
    gracefulShutdownAbortTimeout: timing.stop_ms_max,
    logger: workerLogger(LoggerClass, logger),
    events,
    noHandleSignals: true,
    parsedCronItems: [],
    // Without batches nobody waits for the promise that reports a job's end: one broken connection would end the process.
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
        logger.warn(given, 'gave back jobs that nobody is at work on')
    },
  }
}

function roundFailure(logger: Logger): (error: unknown, round: string) => void {
  return (error, round) => logger.warn({ err: error, round }, 'a round of the job workers failed')
}

async function atMost(ms: number, promise: Promise<unknown> | undefined): Promise<void> {
  const over = new AbortController()
  await Promise.race([promise, pause(ms, over.signal)])
  over.abort()
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
