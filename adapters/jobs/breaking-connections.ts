import type pg from 'pg'
import type { Logger } from 'pino'
import type { PostgresDatabase } from '../postgres/database.ts'

/**
 * Logs connections that break while they are checked out, which the pool itself does not report. Call it once for each database
 * of the queue.
 */
export function hearBreakingConnections({ pool }: Pick<PostgresDatabase, 'pool'>, logger: Logger): void {
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a connection of the job queue broke'))
  })
}

type Release = (broken?: Error | boolean) => void
/** A pool that has ended gives nothing to release, whatever its types say. */
type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release | undefined) => void

/**
 * Stopped before Postgres has answered that it listens, graphile-worker gives that connection back twice if it then breaks. The
 * pool rejects the second time, and since nobody waits for that rejection, it would end the process. Call it once for the
 * database of a worker.
 */
export function forgiveSecondRelease({ pool }: Pick<PostgresDatabase, 'pool'>): void {
  const connect = pool.connect.bind(pool)
  function connectForgiving(callback?: Callback): Promise<pg.PoolClient> | void {
    if (!callback) return connect()
    connect((error, client, release: Release | undefined) => {
      callback(error, client, release && firstOnly(release))
    })
  }
  pool.connect = connectForgiving as pg.Pool['connect']
}

function firstOnly(release: Release): Release {
  let isReleased = false
  return (broken) => {
    if (!isReleased) release(broken)
    isReleased = true
  }
}
