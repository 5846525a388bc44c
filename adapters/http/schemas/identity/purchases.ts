import { z } from 'zod'
import {
  purchaseSlots,
  purchaseStates,
  storeEnvironments,
  storeProviders,
  type PurchaseSlot,
} from '../../../../domain/store-purchase/purchase-facts.ts'
import { storePurchaseIdInput, textInput } from '../scalars.ts'
import { snowflakeOutput, timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'

const signedTransaction_max = 32_768
const purchaseToken_max = 1024
const name_max = 256

const instant = timestampOutput.nullable()
const slot = z.enum(Object.keys(purchaseSlots) as [PurchaseSlot, ...PurchaseSlot[]])
export const storeProvider = z.enum(storeProviders)
export const purchaseKind = z.enum(['subscription', 'gift'])
export const purchaseSlot = slot
export const storeEnvironment = z.enum(storeEnvironments)
export const purchaseState = z.enum(purchaseStates)

/** What an app has to know before it sells (rules/stores#context). */
export const purchaseContext = z
  .object({
    app_account_token: secretOutput,
    app_store: z.object({
      enabled: z.boolean().describe('Whether purchases of store A are taken.'),
      bundle_ids: z.array(z.string()).readonly(),
      products: z.array(z.object({ product_id: z.string(), slot })).readonly(),
    }),
    google_play: z.object({
      enabled: z.boolean().describe('Whether purchases of store B are taken.'),
      package_names: z.array(z.string()).readonly(),
      products: z.array(z.object({ product_id: z.string(), base_plan_id: z.string().nullable(), slot })).readonly(),
    }),
    purchase_blocked_reason: z.enum(['lifetime', 'existing_subscription', 'purchase_disabled']).nullable(),
    blocking_provider: z.enum(['card_provider', ...storeProviders]).nullable(),
  })
  .meta({ id: 'PurchaseContext' })

export const storeATransaction = z.object({ signed_transaction: textInput({ min: 1, max: signedTransaction_max }) })

export const storeBPurchase = z.object({
  purchase_token: textInput({ min: 1, max: purchaseToken_max }),
  product_id: textInput({ min: 1, max: name_max }),
  package_name: textInput({ min: 1, max: name_max }).exactOptional(),
})

/** A purchase as its owner sees it, without its tokens and transaction ids (rules/stores#never-shown). */
export const storePurchase = z
  .object({
    id: snowflakeOutput,
    provider: storeProvider,
    kind: purchaseKind,
    slot,
    product_id: z.string(),
    environment: storeEnvironment,
    state: purchaseState,
    entitled: z.boolean().describe('Whether the purchase brings what was bought now.'),
    expires_at: instant.describe('Null for never.'),
    entitled_until: instant,
    will_renew: z.boolean().nullable().describe('Whether the store renews it; null for a gift.'),
    gift_code: secretOutput.nullable(),
    created_at: timestampOutput,
  })
  .meta({ id: 'StorePurchase' })

export const storePurchaseClaim = z.object({ purchase: storePurchase, gift_code: secretOutput.nullable() })

export const storePurchaseParams = z.object({ purchase_id: storePurchaseIdInput })
