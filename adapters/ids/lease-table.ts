import { z } from 'zod'
import { sql } from '../../application/ports/database.js'
import type { PostgresDatabase } from '../postgres/database.js'

/** The table of worker ids. Which of them are free is decided by Postgres, by its clock. */
export interface LeaseTable {
  /** Gives a free id to a holder for `leaseLife_ms`; undefined where none is free. No id is ever given to two. */
  take(holder: string): Promise<number | undefined>
  /** Makes a lease last `leaseLife_ms` from now. False where the id is another holder's by now. */
  renew(id: number, holder: string): Promise<boolean>
  /** Gives an id back, where it is still this holder's. */
  giveBack(id: number, holder: string): Promise<void>
}

/** How long a lease lasts after it was taken or renewed. */
export const leaseLife_ms = 30_000
/**
 * How long an id rests before it has a new holder. Ids of the old one may carry times that the new one's clock has not
 * reached: it set some aside ahead of its clock, and its clock may have been ahead of ours.
 */
export const leaseRest_ms = 300_000

const idRow = z.object({ id: z.int() })

/** Opens the table in the schema `ids`. Any number of processes may. */
export function openLeaseTable(database: PostgresDatabase): LeaseTable {
  return {
    // The id that rests longest is next: one comes round again only when all others were given since, so even a clock of
    // Postgres that jumps ahead gives nobody an id in use while there are others. Whoever is passed over by `skip locked` is
    // being taken or renewed.
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
    // Also one that has expired: as long as the row is the holder's, nobody else was given the id.
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
