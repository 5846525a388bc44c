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
  /** One that `holdsLocks`: each act that runs holds one of its connections. Its answers should have a time limit. */
  readonly database: Pick<PostgresDatabase, 'pool'>
  /** How long to wait for others. */
  readonly wait_ms_max?: number
}

/** Who holds a key can't be told right now: Postgres can't be had, or all connections are taken. Nothing was done. */
export class LocksUnavailable extends Unavailable {
  override readonly name = 'LocksUnavailable'
  override readonly part = 'locks'
}

/** How long to wait for others. */
export const lockWait_ms_max = 1000

/** As Locks, and knows whether what this process holds is still held. */
export interface FencedLocks extends Locks {
  /**
   * Rejects with LocksUnavailable while an act runs whose lock may be somebody else's by now: this process has hung, or its Postgres
   * is gone. Whatever is written then might be written beside the next holder.
   */
  requireHeld(): void
}

/**
 * Locks for any number of processes: advisory locks of Postgres, each held by the connection that took it, so that a process
 * that dies holds nothing. Who finds a key held gives its connection back and asks again. A connection that breaks lets go of
 * its key while the act goes on: two acts of one key can then overlap, and `requireHeld` keeps the first from writing.
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

/** The 64-bit number that stands for a key, as text. */
function lockOf(key: string): string {
  return createHash('sha256').update(`guildhall lock: ${key}`).digest().readBigInt64BE().toString()
}

const taken = z.object({ rows: z.tuple([z.object({ taken: z.boolean() })]) })

async function take(connection: PoolClient, lock: string): Promise<boolean> {
  try {
    return taken.parse(await connection.query('select pg_try_advisory_lock($1) as taken', [lock])).rows[0].taken
  } catch (error) {
    // It may have been taken nevertheless.
    connection.release(true)
    return unavailable(error)
  }
}

/** A connection that can't say so any more lets go by being closed. */
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
