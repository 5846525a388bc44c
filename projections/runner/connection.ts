import type { Pool, PoolClient } from 'pg'
import { locks } from './registry.js'

/**
 * Runs a task on a connection of its own and closes it afterwards, which ends its session locks and open transaction. The
 * signal aborts when the connection is lost.
 */
export async function withClient<Result>(
  pool: Pool,
  task: (client: PoolClient, lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort())
  try {
    return await task(client, lost.signal)
  } finally {
    client.release(true)
  }
}

/** Whether the connection got a lock, because no other connection held it. It keeps the lock until it is closed. */
export async function tryLock(
  client: PoolClient,
  lock: typeof locks.leading | typeof locks.building | typeof locks.setup,
): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
    locks.class,
    lock,
  ])
  return rows[0]?.held === true
}
