import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { PostgresDatabase } from '../postgres/database.ts'

/** The table of worker ids. Postgres decides by its clock which of them are free. */
export interface LeaseTable {
  /** Leases a free id to a holder for `leaseLife_ms`; undefined if none is free. No id has two holders at once. */
  take(holder: string): Promise<number | undefined>
  /** Extends a lease to `leaseLife_ms` from now. Gives false if another holder has the id. */
  renew(id: number, holder: string): Promise<boolean>
  /** Gives an id back if this holder still has it. */
  giveBack(id: number, holder: string): Promise<void>
}

/** How long a lease lasts after it was taken or renewed. */
export const leaseLife_ms = 30_000
/**
 * How long an id rests before it gets a new holder. Ids made by the old holder may be ahead of the new holder's clock: the old
 * one reserved ids ahead of its clock, and its clock may have been ahead of ours.
 */
export const leaseRest_ms = 300_000

const idRow = z.object({ id: z.int() })

/** Opens the table in the schema `ids`. Any number of processes may open it. */
export function openLeaseTable(database: PostgresDatabase): LeaseTable {
  return {
    // Takes the id that has rested longest. An id comes round again only after all others were given out, so even if Postgres'
    // clock jumps ahead, nobody gets an id in use while there are others. `skip locked` passes over ids that are being taken or
    // renewed right now.
    async take(holder) {
      const taken = await database.maybeOne(sql.type(idRow)`
        with free as materialized (
          select id from ids.worker_leases
          where expires_at < clock_timestamp() - ${interval(leaseRest_ms)}
          order by expires_at, id limit 1 for update skip locked
        )
        update ids.worker_leases as lease
        set holder = ${holder}::uuid, expires_at = clock_timestamp() + ${interval(leaseLife_ms)}
        from free where lease.id = free.id
        returning lease.id`)
      return taken?.id
    },
    // Renews an expired lease too: while the row names this holder, nobody else was given the id.
    async renew(id, holder) {
      const renewed = await database.maybeOne(sql.type(idRow)`
        update ids.worker_leases set expires_at = clock_timestamp() + ${interval(leaseLife_ms)}
        where id = ${id} and holder = ${holder}::uuid
        returning id`)
      return renewed !== undefined
    },
    async giveBack(id, holder) {
      await database.any(sql.type(idRow)`
        update ids.worker_leases set holder = null, expires_at = least(expires_at, clock_timestamp())
        where id = ${id} and holder = ${holder}::uuid
        returning id`)
    },
  }
}

const interval = (ms: number) => sql.fragment`make_interval(secs => ${ms / 1000})`
