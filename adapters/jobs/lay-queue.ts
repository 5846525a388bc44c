import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.ts'
import { workerLogger } from './worker-logger.ts'

export const queueSchema = 'job_queue'

/** Two-int key of an advisory lock, held while graphile-worker makes or changes its tables. */
const migrationLock = { class: 1196771680, key: 2 } as const

/**
 * Makes the tables of the queue if they are missing or old. Any number of processes may do so at once. The caller has to listen
 * for connections of the database that break (`hearBreakingConnections`).
 */
export async function layQueue({ pool }: Pick<PostgresDatabase, 'pool'>, logger: Logger): Promise<void> {
  const { Logger: LoggerClass, runMigrations } = await import('graphile-worker')
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1, $2)', [migrationLock.class, migrationLock.key])
    await runMigrations({ pgPool: pool, schema: queueSchema, logger: workerLogger(LoggerClass, logger) })
    await client.query('select pg_advisory_unlock($1, $2)', [migrationLock.class, migrationLock.key])
    client.release()
  } catch (error) {
    // Closing the connection releases the lock in every case.
    client.release(true)
    throw error
  }
}
