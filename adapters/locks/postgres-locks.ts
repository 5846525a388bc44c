import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { pauseAfterConflict } from '../../application/aggregates/pause-after-conflict.ts'
import type { Elector, LockKey } from '../../application/concurrency/elector.ts'
import type { Locks } from '../../application/ports/locks.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { stillHolds } from '../postgres/held-connections.ts'
import { orPostgresUnavailable } from '../postgres/postgres-unavailable.ts'

export interface PostgresLocksSettings {
  /** On a database opened with `holdsLocks`. Its statements should have a time limit. */
  readonly elector: Elector<PoolClient>
  /** How long to wait for other holders. */
  readonly wait_ms_max?: number
}

/** The lock's holder can't be determined right now: Postgres is unavailable. Nothing was done. */
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
 * Locks for any number of processes: advisory locks of Postgres, held by the elector's connection, so that a dead process holds
 * nothing. A caller that finds a key held tries again. A connection that breaks releases all keys while the acts continue: two acts
 * of one key can then overlap, and `requireHeld` keeps the first from writing.
 */
export function postgresLocks({ elector, wait_ms_max = lockWait_ms_max }: PostgresLocksSettings): FencedLocks {
  const acting = new Set<{ readonly client: PoolClient }>()
  async function tryHolding<Result>(key: LockKey, act: () => Promise<Result>) {
    let hasBegun = false
    try {
      return await elector.tryLead(key, async ({ client }) => {
        hasBegun = true
        const own = { client }
        acting.add(own)
        return act().finally(() => acting.delete(own))
      })
    } catch (error) {
      if (hasBegun) throw error
      return unavailable(error)
    }
  }
  return {
    requireHeld() {
      for (const { client } of acting)
        if (!stillHolds(client)) throw new LocksUnavailable('This process may have lost a lock that it acts under')
    },
    async holding(key, act) {
      const lock = lockOf(key)
      const until = performance.now() + wait_ms_max
      for (let tries = 1; ; tries += 1) {
        const held = await tryHolding(lock, act)
        if (held) return held
        if (performance.now() > until) return undefined
        await pauseAfterConflict(tries + 1)
      }
    },
  }
}

/** The 64-bit number of a key. */
function lockOf(key: string): LockKey {
  return [createHash('sha256').update(`guildhall lock: ${key}`).digest().readBigInt64BE()]
}

function unavailable(error: unknown): never {
  const cause = orPostgresUnavailable(error)
  throw cause instanceof Unavailable ? new LocksUnavailable('The locks have lost their Postgres', { cause }) : cause
}
