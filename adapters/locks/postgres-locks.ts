import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { pauseAfterConflict } from '../../application/aggregates/pause-after-conflict.js'
import type { Locks } from '../../application/ports/locks.js'
import { Unavailable } from '../../application/ports/unavailable.js'
import type { PostgresDatabase } from '../postgres/database.js'
import { stillHolds } from '../postgres/held-connections.js'
import { orPostgresUnavailable } from '../postgres/postgres-unavailable.js'

export interface PostgresLocksSettings {
  /**
   * A database opened with `holdsLocks`: each running act holds one of its connections. Its statements should have a time
   * limit.
   */
  readonly database: Pick<PostgresDatabase, 'pool'>
  /** How long to wait for other holders. */
  readonly wait_ms_max?: number
}

/** The lock's holder can't be determined right now: Postgres is unavailable, or all connections are taken. Nothing was done. */
export class LocksUnavailable extends Unavailable {
  override readonly name = 'LocksUnavailable'
  override readonly part = 'locks'
}

/** How long to wait for other holders. */
export const lockWait_ms_max = 1000

/** Locks that also know whether this process still holds what it took. */
export interface FencedLocks extends Locks {
  /**
   * Rejects with LocksUnavailable if the lock of a running act may have another holder by now, because this process hung or its
   * Postgres is gone. Any write after that could happen beside the next holder's.
   */
  requireHeld(): void
}

/**
 * Locks for any number of processes: advisory locks of Postgres, each held by the connection that took it, so that a dead
 * process holds nothing. A caller that finds a key held gives its connection back and tries again. A connection that breaks
 * releases its key while the act continues: two acts of one key can then overlap, and `requireHeld` keeps the first from
 * writing.
 */
export function postgresLocks({
  database: { pool },
  wait_ms_max = lockWait_ms_max,
}: PostgresLocksSettings): FencedLocks {
  const holders = new Set<PoolClient>()
  return {
    requireHeld() {
      for (const holder of holders)
        if (!stillHolds(holder)) throw new LocksUnavailable('This process may have lost a lock that it acts under')
    },
    async holding(key, act) {
      const lock = lockOf(key)
      const until = performance.now() + wait_ms_max
      for (let tries = 1; ; tries += 1) {
        const connection = await pool.connect().catch(unavailable)
        if (await take(connection, lock)) {
          holders.add(connection)
          try {
            return { result: await act() }
          } finally {
            holders.delete(connection)
            await letGo(connection, lock)
          }
        }
        connection.release()
        if (performance.now() > until) return undefined
        await pauseAfterConflict(tries + 1)
      }
    },
  }
}

/** The 64-bit number of a key, as text. */
function lockOf(key: string): string {
  return createHash('sha256').update(`guildhall lock: ${key}`).digest().readBigInt64BE().toString()
}

const taken = z.object({ rows: z.tuple([z.object({ taken: z.boolean() })]) })

async function take(connection: PoolClient, lock: string): Promise<boolean> {
  try {
    return taken.parse(await connection.query('select pg_try_advisory_lock($1) as taken', [lock])).rows[0].taken
  } catch (error) {
    // The lock may have been taken nevertheless.
    connection.release(true)
    return unavailable(error)
  }
}

/** If the connection can't release the lock any more, closing it does. */
async function letGo(connection: PoolClient, lock: string): Promise<void> {
  const isBroken = await connection.query('select pg_advisory_unlock($1)', [lock]).then(
    () => false,
    () => true,
  )
  connection.release(isBroken)
}

function unavailable(error: unknown): never {
  const cause = orPostgresUnavailable(error)
  throw cause instanceof Unavailable ? new LocksUnavailable('The locks have lost their Postgres', { cause }) : cause
}
