import type { Pool, PoolClient } from 'pg'
import { pause } from '../../application/concurrency/pauses.js'
import { locks } from './registry.js'

/** How long a server that is silent may take to close a connection. */
const closing_ms_max = 1000

/**
 * Runs a task on a connection of its own and closes it afterwards, which ends its session locks and open transaction: whoever
 * asks for a lock next gets it. The signal aborts when the connection is lost.
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
    // The server ends the locks before it closes its side.
    await pause(closing_ms_max, lost.signal)
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
