import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.js'

/**
 * Hears of connections that break while they are out of their pool: they say so in an event, which would end the process where
 * nobody listens. Once for each database that the queue is given.
 */
export function hearBreakingConnections({ pool }: Pick<PostgresDatabase, 'pool'>, logger: Logger): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a connection of the job queue broke'))
  })
}
