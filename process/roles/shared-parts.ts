import { inProcessReservations } from '../../adapters/reservations/in-process-reservations.ts'
import { openPostgresReservations } from '../../adapters/reservations/postgres-reservations.ts'
import { openPostgresRateLimits } from '../../adapters/http/limits/postgres-rate-limits.ts'
import { memoryRateLimits, type RateLimits } from '../../adapters/http/limits/rate-limits.ts'
import { leaseWorkerId } from '../../adapters/ids/worker-lease.ts'
import { inProcessLocks } from '../../adapters/locks/in-process-locks.ts'
import { postgresLocks } from '../../adapters/locks/postgres-locks.ts'
import type { Reservations } from '../../application/ports/reservations.ts'
import type { Locks } from '../../application/ports/locks.ts'
import { cachedPositionColumns } from '../../projections/runner/cached-positions.ts'
import type { Base } from './base.ts'

/** What all processes that carry out commands share: in memory for a single process, in Postgres for several. */
export interface SharedParts {
  readonly rateLimits: RateLimits | 'off'
  readonly locks: Locks
  readonly reservations: Reservations
  /** The worker id, 0-1023, which no other process has at the same time. Throws a kind of Unavailable while none is held. */
  readonly workerId: () => number
}

export async function openSharedParts(base: Base): Promise<SharedParts> {
  const workerId = await leasedWorkerId(base)
  return { workerId, ...(base.signals ? await betweenProcesses(base) : withinProcess(base)) }
}

/** Leased also by a process that serves alone: the one before it may have hung with ids ahead of its clock. */
async function leasedWorkerId({ closings, onError, register, upkeep }: Base): Promise<SharedParts['workerId']> {
  const lease = await leaseWorkerId({ database: upkeep, holder: register.id, onError })
  closings.add(() => lease.release())
  return () => lease.workerId
}

function withinProcess({ options }: Base): Omit<SharedParts, 'workerId'> {
  return {
    rateLimits: options.settings.rateLimits ? memoryRateLimits() : 'off',
    locks: inProcessLocks(),
    reservations: inProcessReservations(),
  }
}

async function betweenProcesses(base: Base): Promise<Omit<SharedParts, 'workerId'>> {
  const { options, closings, onError, store, database, elector } = base
  const locks = postgresLocks({ elector })
  // After a hang, a process must not write anything that its locks should have protected.
  store.guardAppends(() => locks.requireHeld())
  const reservations = openPostgresReservations({ database, onError })
  closings.add(() => reservations.close())
  return {
    rateLimits: options.settings.rateLimits ? await sharedRateLimits(base) : 'off',
    locks,
    reservations,
  }
}

async function sharedRateLimits({ database, closings, asOf, onError }: Base): Promise<RateLimits> {
  const rateLimits = openPostgresRateLimits({
    database,
    held: asOf && { columns: cachedPositionColumns, onHeld: asOf },
    onError,
  })
  closings.add(() => rateLimits.close())
  return rateLimits
}
