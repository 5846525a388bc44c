import { z } from 'zod'
import { purchaseStates, storeEnvironments, storeProviders } from '../../../domain/store-purchase/purchase-facts.ts'
import type { ListedPurchase } from '../../ports/queries/store-purchase-queries.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { nullableSnowflake, nullableText, nullableTimestamp, snowflakeOutput, timestampOutput } from '../scalars.ts'

export const listedPurchaseSchema = wireObject('ListedPurchase', {
  id: snowflakeOutput,
  user_id: nullableSnowflake.describe('The account that has it; null for nobody.'),
  provider: z.enum(storeProviders),
  kind: z.enum(['subscription', 'gift']).nullable().describe('Null until the store was asked.'),
  product_id: nullableText.describe('Null until the store was asked.'),
  environment: z.enum(storeEnvironments).nullable().describe('Null until the store was asked.'),
  state: z.enum(purchaseStates),
  started_at: nullableTimestamp.describe('When it was bought.'),
  purchased_at: nullableTimestamp.describe('When it was paid last, as by a renewal.'),
  expires_at: nullableTimestamp.describe('When the paid period ends; null for a gift.'),
  revoked_at: nullableTimestamp.describe('When it was revoked, or its money went back.'),
  created_at: timestampOutput.describe('When this service saw it first.'),
})

export type ListedPurchaseObject = ObjectOf<typeof listedPurchaseSchema>

/** A purchase as lists show it, without receipts, tokens and codes. */
export function listedPurchaseObject(purchase: ListedPurchase): ListedPurchaseObject {
  return objectOf(listedPurchaseSchema, {
    id: purchase.id,
    user_id: purchase.accountId,
    provider: purchase.provider,
    kind: purchase.kind,
    product_id: purchase.productId,
    environment: purchase.environment,
    state: purchase.state,
    started_at: purchase.startedAt,
    purchased_at: purchase.purchasedAt,
    expires_at: purchase.expiresAt,
    revoked_at: purchase.revokedAt,
    created_at: purchase.seenAt,
  })
}
