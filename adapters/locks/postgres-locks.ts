import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { pauseAfterConflict } from '../../application/aggregates/pause-after-conflict.js'
import type { Locks } from '../../application/ports/locks.js'
import { Unavailable } from '../../application/ports/unavailable.js'
import type { PostgresDatabase } from '../postgres/database.js'
import { orPostgresUnavailable } from '../postgres/postgres-unavailable.js'

export interface PostgresLocksSettings {
  /** Each act that runs holds one of its connections. Its answers should have a time limit. */
  readonly database: Pick<PostgresDatabase, 'pool'>
  /** How long to wait for others. */
  readonly wait_ms_max?: number
}

/** Who holds a key can't be told right now: Postgres can't be had, or all connections are taken. Nothing was done. */
export class LocksUnavailable extends Unavailable {
  override readonly name = 'LocksUnavailable'
}

/** How long to wait for others. */
export const lockWait_ms_max = 1000

/**
 * Locks for any number of processes: advisory locks of Postgres, each held by the connection that took it, so that a process
 * that dies holds nothing. Who finds a key held gives its connection back and asks again. A connection that breaks lets go of
 * its key while the act goes on: two acts of one key can then overlap, for as long as the first still takes.
 */
export function postgresLocks({ database: { pool }, wait_ms_max = lockWait_ms_max }: PostgresLocksSettings): Locks {
  return {
    async holding(key, act) {
      const lock = lockOf(key)
      const until = performance.now() + wait_ms_max
      for (let tries = 1; ; tries += 1) {
        const connection = await pool.connect().catch(unavailable)
        // A connection that breaks says so in an event too; without a listener it would end the process.
        connection.on('error', ignore)
        if (await take(connection, lock)) {
          try {
            return { result: await act() }
          } finally {
            await letGo(connection, lock)
          }
        }
        giveBack(connection)
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
    giveBack(connection, true)
    return unavailable(error)
  }
}

/** A connection that can't say so any more lets go by being closed. */
async function letGo(connection: PoolClient, lock: string): Promise<void> {
  const isBroken = await connection.query('select pg_advisory_unlock($1)', [lock]).then(
    () => false,
    () => true,
  )
  giveBack(connection, isBroken)
}

function giveBack(connection: PoolClient, isBroken = false): void {
  connection.off('error', ignore)
  connection.release(isBroken)
}

const ignore = (): void => undefined

function unavailable(error: unknown): never {
  const cause = orPostgresUnavailable(error)
  throw cause instanceof Unavailable ? new LocksUnavailable('The locks have lost their Postgres', { cause }) : cause
}
