import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.js'

/**
 * Logs connections that break while they are checked out, which the pool itself does not report. Call it once for each database
 * of the queue.
 */
export function hearBreakingConnections({ pool }: Pick<PostgresDatabase, 'pool'>, logger: Logger): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a connection of the job queue broke'))
  })
}
