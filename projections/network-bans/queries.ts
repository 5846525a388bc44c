import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { NetworkBanQueries, NetworkBanRecord } from '../../application/ports/queries/network-ban-queries.ts'
import { accountIdColumn, instantColumn } from '../columns.ts'

const banRow = z
  .object({
    network: z.string(),
    cause: z.enum(['operator', 'failures']),
    reason: z.string().nullable(),
    banned_by: accountIdColumn.nullable(),
    banned_at: instantColumn,
    expires_at: instantColumn.nullable(),
  })
  .transform((row): NetworkBanRecord => ({
    network: row.network,
    cause: row.cause,
    reason: row.reason,
    bannedBy: row.banned_by,
    bannedAt: row.banned_at,
    expiresAt: row.expires_at,
  }))

const changesRow = z.object({ count: z.coerce.number() }).transform(({ count }) => count)

/** Queries over the network_bans read model. */
export function networkBanQueries(database: Queries): NetworkBanQueries {
  return {
    page: ({ now, network, after, limit }) =>
      database.any(sql.type(banRow)`
        select network, cause, reason, banned_by, banned_at, expires_at from network_bans.bans
        where (expires_at is null or expires_at > ${now})
          and (${network}::text is null or network = ${network})
          and (${after?.bannedAt ?? null}::timestamptz is null
            or banned_at < ${after?.bannedAt ?? null}
            or (banned_at = ${after?.bannedAt ?? null} and network > ${after?.network ?? null}))
        order by banned_at desc, network limit ${limit}`),
    holding: (now, limit) =>
      database.any(sql.type(banRow)`
        select network, cause, reason, banned_by, banned_at, expires_at from network_bans.bans
        where expires_at is null or expires_at > ${now}
        order by expires_at is null desc, banned_at desc, network limit ${limit}`),
    changes: async () => (await database.maybeOne(sql.type(changesRow)`select count from network_bans.changes`)) ?? 0,
  }
}
