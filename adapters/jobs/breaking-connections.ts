import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.js'

/**
 * Tells of connections that break while they are out of their pool, which the pool itself keeps to itself. Once for each database
 * that the queue is given.
 */
export function hearBreakingConnections({ pool }: Pick<PostgresDatabase, 'pool'>, logger: Logger): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a connection of the job queue broke'))
  })
}
