import { pino, type Logger } from 'pino'
import { z } from 'zod'
import { countJobs, jobQueue, type JobCounts } from '../../../../adapters/jobs/job-queue.ts'
import { layQueue } from '../../../../adapters/jobs/lay-queue.ts'
import type { Round } from '../../../../adapters/jobs/rounds.ts'
import { jobsAtOnce, startWorker, workerConnections_max, type Worker } from '../../../../adapters/jobs/start-worker.ts'
import type { Tasks } from '../../../../adapters/jobs/task.ts'
import { stockTiming, type JobTiming } from '../../../../adapters/jobs/timing.ts'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../../../../adapters/postgres/database.ts'
import type { Jobs } from '../../../../application/ports/jobs.ts'
import { laidDatabase } from '../../../support/test-database.ts'

/** The tasks of these tests. */
export interface TestPayloads {
  readonly note: { readonly text: string }
  readonly other: { readonly text: string }
}

export const notePayload = z.strictObject({ text: z.string() })

/** Workers on one database, each with its own pool, like processes. */
export interface Workshop {
  readonly connection: PostgresConnection
  readonly database: PostgresDatabase
  readonly jobs: Jobs<TestPayloads>
  readonly logged: readonly Readonly<Record<string, unknown>>[]
  readonly logger: Logger
  /** Starts a worker; tasks that are not given do nothing. */
  work(
    run: Partial<{ [Name in keyof TestPayloads]: Tasks<TestPayloads>[Name]['run'] }>,
    options?: WorkOptions,
  ): TestWorker
  counts(): Promise<readonly JobCounts[]>
  close(): Promise<void>
}

export interface WorkOptions {
  /** Default: `jobsAtOnce`. */
  readonly atOnce?: number
  readonly timing?: Partial<JobTiming>
  readonly rounds?: readonly Round[]
}

export interface TestWorker extends Worker {
  readonly pool: PostgresDatabase
}

/** Short waits, but long enough that nobody looks dead on a busy machine. */
const testTiming: JobTiming = { ...stockTiming, start_ms: 0, poll_ms: 200, stop_ms_max: 2000, giveBack_ms: 300 }

export interface WorkshopOptions {
  readonly attempts_max?: number
  /** A Postgres other than that of the tests. */
  readonly connection?: PostgresConnection
}

export async function workshop({ attempts_max = 5, connection }: WorkshopOptions = {}): Promise<Workshop> {
  const own = connection === undefined ? await laidDatabase() : undefined
  const place = own?.connection ?? connection ?? {}
  const database = own?.database ?? openDatabase(place, { onError: () => undefined })
  const logged: Record<string, unknown>[] = []
  const logger = pino(
    { level: 'info', formatters: { level: (label) => ({ level: label }) } },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  )
  database.pool.on('connect', (client) => void client.on('error', () => undefined))
  await layQueue(database, logger)
  const workers: TestWorker[] = []
  return {
    connection: place,
    database,
    jobs: jobQueue<TestPayloads>(database, attempts_max),
    logged,
    logger,
    work(run, { timing = {}, rounds = [], atOnce = jobsAtOnce } = {}) {
      const pool = openDatabase(place, {
        connections_max: workerConnections_max,
        answer_ms_max: 5000,
        onError: () => undefined,
      })
      const idle = async (): Promise<void> => undefined
      const tasks: Tasks<TestPayloads> = {
        note: { payload: notePayload, run: run.note ?? idle },
        other: { payload: notePayload, run: run.other ?? idle },
      }
      const worker = startWorker({
        database: pool,
        tasks,
        atOnce,
        rounds,
        logger,
        timing: { ...testTiming, ...timing },
      })
      const stop = once(async () => {
        await worker.stop()
        await pool.close()
      })
      const started: TestWorker = {
        get hasQueue() {
          return worker.hasQueue
        },
        pool,
        stop,
      }
      workers.push(started)
      return started
    },
    counts: () => countJobs(database),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
      await (own ?? database).close()
    },
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let acted: Promise<void> | undefined
  return () => (acted ??= act())
}
