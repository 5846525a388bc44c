import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  DuePurchase,
  ListedPurchase,
  StorePurchaseQueries,
  WantedPurchases,
} from '../../application/ports/queries/store-purchase-queries.ts'
import type { StorePurchaseId } from '../../domain/ids/ids.ts'
import { purchaseStates, storeEnvironments, storeProviders } from '../../domain/store-purchase/purchase-facts.ts'
import { accountIdColumn, instantColumn, textColumn } from '../columns.ts'

const dueRow = z
  .object({ purchase: z.string(), due_at: instantColumn })
  .transform((row): DuePurchase => ({ purchase: row.purchase, dueAt: row.due_at }))

const listedRow = z.object({
  id: textColumn<StorePurchaseId>(),
  accountId: accountIdColumn.nullable(),
  provider: z.enum(storeProviders),
  kind: z.enum(['subscription', 'gift']).nullable(),
  productId: z.string().nullable(),
  environment: z.enum(storeEnvironments).nullable(),
  state: z.enum(purchaseStates),
  startedAt: instantColumn.nullable(),
  purchasedAt: instantColumn.nullable(),
  expiresAt: instantColumn.nullable(),
  revokedAt: instantColumn.nullable(),
  seenAt: instantColumn,
})

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
          where environment = 'sandbox' and not is_gift and account_id is not null
            and (${after ?? null}::text is null or purchase > ${after ?? null})
          order by purchase limit ${limit}`)
      ).map(({ purchase }) => purchase),
    page: (wanted) => listed(database, wanted),
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
            select provider = 'store_b' and account_id is not null and not acknowledged and not fulfilled
              and case when is_gift then has_code else state in ('active', 'grace', 'canceled') end as to_tell) t
          where read_at is not null and not superseded and sent_back_at is null
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

/** A voiding counts for a gift for good, for a subscription as long as the voided order is its latest one. */
const isVoided = sql.fragment`voided_order is not null and (is_gift or voided_order = latest_order)`

/** What a purchase is shown as (domain/store-purchase/shown-purchase.ts). The index purchases_in_state has the same expression. */
const shownState = sql.fragment`case
  when read_at is null then 'pending'
  when superseded then 'superseded'
  when ${isVoided} or sent_back_at is not null
    then case when is_gift then 'refunded' else 'revoked' end
  when is_gift and state = 'purchased' and has_code and quantity <= 1 then 'fulfilled'
  else state end`

function listed(
  database: Queries,
  { accountId, provider, state, since, until, after, limit }: WantedPurchases,
): Promise<readonly ListedPurchase[]> {
  const conditions = [
    sql.fragment`true`,
    ...(accountId === null ? [] : [sql.fragment`account_id = ${accountId}`]),
    ...(provider === null ? [] : [sql.fragment`provider = ${provider}`]),
    ...(state === null ? [] : [sql.fragment`(${shownState}) = ${state}`]),
    ...(since === null ? [] : [sql.fragment`seen_at >= ${since}`]),
    ...(until === null ? [] : [sql.fragment`seen_at < ${until}`]),
    ...(after === null ? [] : [sql.fragment`(seen_at, id) < (${after.seenAt}::timestamptz, ${after.id}::bigint)`]),
  ]
  return database.any(sql.type(listedRow)`
    select id, account_id as "accountId", provider,
      case when read_at is null then null when is_gift then 'gift' else 'subscription' end as kind,
      nullif(product_id, '') as "productId", nullif(environment, '') as environment,
      ${shownState} as state,
      started_at as "startedAt", purchased_at as "purchasedAt", expires_at as "expiresAt",
      case when superseded then revoked_at when ${isVoided} then voided_at else coalesce(sent_back_at, revoked_at) end as "revokedAt",
      seen_at as "seenAt"
    from store_purchases.purchases where ${sql.join(conditions, sql.fragment` and `)}
    order by seen_at desc, id desc limit ${limit}`)
}
