import { z } from 'zod'
import { purchaseKind, purchaseSlot, purchaseState, storeEnvironment, storeProvider } from '../identity/purchases.ts'
import { snowflakeOutput, timestampOutput, secretOutput } from '../../../../application/wire-objects/scalars.ts'

const text = z.string().nullable()
const instant = timestampOutput.nullable()

/** A purchase as administrators see it: without its tokens and without the account's (rules/stores#never-shown). */
const adminStorePurchase = z
  .object({
    id: snowflakeOutput,
    user_id: snowflakeOutput.nullable(),
    provider: storeProvider,
    kind: purchaseKind,
    slot: purchaseSlot,
    environment: storeEnvironment,
    app_id: z.string(),
    product_id: z.string(),
    base_plan_id: text,
    latest_transaction_id: text,
    ownership_type: text,
    state: purchaseState,
    store_state: text,
    entitled: z.boolean().describe('Whether the purchase brings what was bought now.'),
    expires_at: instant.describe('Null for never.'),
    grace_ends_at: instant,
    auto_renew: z.boolean().nullable().describe('Whether the store renews it; null for a gift.'),
    started_at: instant.describe('Null until it starts.'),
    purchased_at: instant,
    revoked_at: instant,
    revocation_reason: text,
    superseded: z.boolean().describe('Whether a later purchase took its place.'),
    acknowledged: z.boolean().describe('Whether the store knows that the purchase was credited.'),
    gift_code: secretOutput.nullable(),
    bound_at: instant,
    last_event_at: instant,
    synced_at: instant,
    created_at: timestampOutput,
    updated_at: timestampOutput,
  })
  .meta({ id: 'AdminStorePurchase' })

export const userStorePurchases = z.object({ purchases: z.array(adminStorePurchase).readonly() })
