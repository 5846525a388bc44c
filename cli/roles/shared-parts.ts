import { inProcessRoom } from '../../adapters/admission-room/in-process-room.js'
import { openPostgresRoom } from '../../adapters/admission-room/postgres-room.js'
import { openPostgresRateLimits } from '../../adapters/http/limits/postgres-rate-limits.js'
import { memoryRateLimits, type RateLimits } from '../../adapters/http/limits/rate-limits.js'
import { leaseWorkerId } from '../../adapters/ids/worker-lease.js'
import { openDatabase } from '../../adapters/postgres/database.js'
import type { AdmissionRoom } from '../../application/ports/admission-room.js'
import type { Base } from './base.js'

/** What all processes have in common that carry out commands: kept in memory by one that is alone, in Postgres by several. */
export interface SharedParts {
  readonly rateLimits: RateLimits | 'off'
  readonly room: AdmissionRoom
  /** The part of new ids that no other process has: 0-1023. Throws a kind of Unavailable while none is held. */
  readonly workerId: () => number
}

const leaseAnswer_ms_max = 5000

export async function openSharedParts(base: Base): Promise<SharedParts> {
  return base.signals ? betweenProcesses(base) : withinProcess(base)
}

function withinProcess({ options }: Base): SharedParts {
  return {
    rateLimits: options.settings.rateLimits ? memoryRateLimits() : 'off',
    room: inProcessRoom(),
    workerId: () => 0,
  }
}

async function betweenProcesses({ options, closings, onError, database }: Base): Promise<SharedParts> {
  // A pool of its own, so that busy requests can't starve the renewals.
  const leaseDatabase = openDatabase(options.connection, {
    connections_max: 1,
    answer_ms_max: leaseAnswer_ms_max,
    onError,
  })
  closings.add(() => leaseDatabase.close())
  const lease = await leaseWorkerId({ database: leaseDatabase, onError })
  closings.add(() => lease.release())
  const room = await openPostgresRoom({ database, onError })
  closings.add(() => room.close())
  return {
    rateLimits: options.settings.rateLimits ? await sharedRateLimits(database, closings, onError) : 'off',
    room,
    workerId: () => lease.workerId,
  }
}

async function sharedRateLimits(
  database: Base['database'],
  closings: Base['closings'],
  onError: Base['onError'],
): Promise<RateLimits> {
  const rateLimits = await openPostgresRateLimits({ database, onError })
  closings.add(() => rateLimits.close())
  return rateLimits
}
