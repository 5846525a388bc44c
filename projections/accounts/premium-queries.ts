import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { OverPremium, PremiumQueries } from '../../application/ports/queries/premium-queries.ts'
import { premiumFlags } from '../../domain/premium/premium-flags.ts'
import { accountIdColumn, instantColumn } from '../columns.ts'

const overRow = z
  .object({ id: accountIdColumn, premium_over_at: instantColumn })
  .transform((row): OverPremium => ({ accountId: row.id, overAt: row.premium_over_at }))
const idRow = z.object({ id: accountIdColumn }).transform(({ id }) => id)

/** Queries over the premium of accounts. */
export function premiumQueries(database: Queries): PremiumQueries {
  return {
    over: (now, limit, after) =>
      database.any(sql.type(overRow)`
        select id, premium_over_at from accounts.accounts
        where premium_over_at <= ${now} and not bot and premium_flags & ${premiumFlags.ENABLED_OVERRIDE} = 0
          and (${after?.overAt ?? null}::timestamptz is null
            or (premium_over_at, id) > (${after?.overAt ?? null}::timestamptz, ${after?.accountId ?? null}::int8))
        order by premium_over_at, id limit ${limit}`),
    byStoreToken: async (tokenHash) =>
      (await database.maybeOne(sql.type(idRow)`
        select id from accounts.accounts where store_token_hash = ${tokenHash} order by id limit 1`)) ?? undefined,
  }
}
