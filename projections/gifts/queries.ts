import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { GiftQueries, GiftRecord } from '../../application/ports/queries/gift-queries.ts'
import { durationUnits } from '../../domain/premium/gift-duration.ts'
import { accountIdColumn, instantColumn } from '../columns.ts'

/** How many gifts of one account are listed. */
const listedGifts_max = 1000

const giftRow = z
  .object({
    gift: z.string(),
    code: z.string(),
    unit: z.enum(durationUnits),
    quantity: z.int(),
    created_at: instantColumn,
    redeemed_by: accountIdColumn.nullable(),
    redeemed_at: instantColumn.nullable(),
  })
  .transform((row): GiftRecord => ({
    gift: row.gift,
    code: row.code,
    duration: { unit: row.unit, quantity: row.quantity },
    createdAt: row.created_at,
    redeemedBy: row.redeemed_by,
    redeemedAt: row.redeemed_at,
  }))

/** Queries over the gifts read model. */
export function giftQueries(database: Queries): GiftQueries {
  return {
    createdBy: (account, redeemedSince) =>
      database.any(sql.type(giftRow)`
        select gift, code, unit, quantity, created_at, redeemed_by, redeemed_at from gifts.gifts
        where created_by = ${account} and not revoked and (redeemed_at is null or redeemed_at >= ${redeemedSince})
        order by created_at desc, gift limit ${listedGifts_max}`),
  }
}
