import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { RunningProcess } from '../../application/ports/readiness.ts'

/** 'GHPR' in ASCII, read as a number: the class of the advisory locks below. */
export const processLockClass = 1_195_921_490
/** Held shared by processes of roles, and alone by a process that serves alone. Numbers of the register begin at 1. */
export const servingLock = 0

const runningRow = z.object({
  id: z.string(),
  roles: z.array(z.string()),
  version: z.string(),
  since: z.string(),
  worker_id: z.number().nullable(),
})

/**
 * The processes that serve the instance of this database, oldest first: those in the register that hold the lock of their
 * number. One that was killed is gone at once, one whose host vanished within `heldSilence_ms_max`.
 */
export function runningProcesses(database: Queries): Promise<readonly RunningProcess[]> {
  return database.any(sql.type(runningRow)`
    select process.id::text, process.roles, process.version, process.since, lease.id as worker_id
    from processes.register as process
    join pg_locks as held on held.locktype = 'advisory' and held.granted
      and held.database = (select oid from pg_database where datname = current_database())
      and held.classid = ${processLockClass}::int4::oid and held.objid = process.number::oid and held.objsubid = 2
    left join ids.worker_leases as lease on lease.holder = process.id and lease.expires_at > clock_timestamp()
    order by process.number`)
}

/** The same for a database that may not have a register yet. */
export async function runningProcessesIfKnown(database: Queries): Promise<readonly RunningProcess[]> {
  const { known } = await database.one(sql.type(knownRow)`
    select to_regclass('processes.register') is not null as known`)
  return known ? runningProcesses(database) : []
}

const knownRow = z.object({ known: z.boolean() })
