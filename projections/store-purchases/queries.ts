import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { DuePurchase, StorePurchaseQueries } from '../../application/ports/queries/store-purchase-queries.ts'
import { instantColumn } from '../columns.ts'

const dueRow = z
  .object({ purchase: z.string(), due_at: instantColumn })
  .transform((row): DuePurchase => ({ purchase: row.purchase, dueAt: row.due_at }))

const purchaseRow = z.object({ purchase: z.string() })

/**
 * Queries over the store_purchases read model. When a purchase is read again: rules/stores#due-purchases. A gift is
 * over with its code, one of store B only once the store was told; a subscription is over while its latest order is
 * voided.
 */
export function storePurchaseQueries(database: Queries): StorePurchaseQueries {
  return {
    sandboxSubscriptions: async (limit, after) =>
      (
        await database.any(sql.type(purchaseRow)`
          select purchase from store_purchases.purchases
          where environment = 'sandbox' and not is_gift and has_owner
            and (${after ?? null}::text is null or purchase > ${after ?? null})
          order by purchase limit ${limit}`)
      ).map(({ purchase }) => purchase),
    due: (now, limit, after) =>
      database.any(sql.type(dueRow)`
        select purchase, due_at from (
          select p.purchase, case
            when to_tell then read_at + case environment when 'sandbox' then interval '1 minute' else interval '1 hour' end
            when state in ('grace', 'billing_retry', 'on_hold', 'paused', 'pending') then read_at + interval '6 hours'
            when expires_at is null then read_at + interval '7 days'
            when expires_at < read_at then read_at + interval '1 hour'
            else least(
              greatest(expires_at + interval '10 minutes', read_at + interval '5 minutes'),
              read_at + interval '7 days')
            end as due_at
          from store_purchases.purchases p, lateral (
            select provider = 'store_b' and has_owner and not acknowledged and not fulfilled
              and case when is_gift then has_code else state in ('active', 'grace', 'canceled') end as to_tell) t
          where read_at is not null and not superseded and not sent_back
            and state not in ('expired', 'revoked', 'refunded')
            and case when is_gift then voided_order is null and (to_tell or not has_code)
              else voided_order is distinct from latest_order or voided_order is null end
        ) scheduled
        where due_at <= ${now}
          and (${after?.dueAt ?? null}::timestamptz is null
            or (due_at, purchase) > (${after?.dueAt ?? null}::timestamptz, ${after?.purchase ?? null}))
        order by due_at, purchase limit ${limit}`),
  }
}
