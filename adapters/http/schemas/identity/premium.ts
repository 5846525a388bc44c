import { z } from 'zod'
import { durationQuantity_max, durationUnits } from '../../../../domain/premium/gift-duration.ts'
import { purchaseStates } from '../../../../domain/store-purchase/purchase-facts.ts'
import { textInput } from '../scalars.ts'
import {
  snowflakeOutput,
  timestampOutput,
  secretOutput,
  premiumTypeOutput,
} from '../../../../application/wire-objects/scalars.ts'
import { partialUserSchema } from '../../../../application/wire-objects/identity/user-objects.ts'

const instant = timestampOutput.nullable()

export const giftParams = z.object({ code: textInput({ min: 1, max: 32 }) })

/** A gift as everybody who knows its code sees it: not who redeemed it (rules/gifts#codes). */
export const giftCode = z
  .object({
    code: secretOutput,
    duration_type: z.enum(durationUnits),
    duration_quantity: z.int().describe('How many of duration_type the code brings.'),
    redeemed: z.boolean().describe('Whether somebody has redeemed it.'),
    created_by: partialUserSchema.optional(),
  })
  .meta({ id: 'GiftCode' })

export const giftMetadata = z
  .object({
    code: secretOutput,
    duration_type: z.enum(durationUnits),
    duration_quantity: z.int().describe('How many of duration_type the code brings.'),
    created_at: timestampOutput,
    created_by: partialUserSchema,
    redeemed_at: instant,
    redeemed_by: partialUserSchema.nullable(),
  })
  .meta({ id: 'GiftMetadata' })

const generatedCodes_max = 100

/** Generate gift codes. */
export const giftCodeWishes = z.object({
  count: z.int().min(1).max(generatedCodes_max),
  duration_type: z.enum(durationUnits),
  duration_quantity: z.int().min(1).max(durationQuantity_max),
})

export const generatedCodes = z.object({ codes: z.array(secretOutput).readonly() })

/** Get premium state: the country of prices, exactly two characters. */
export const premiumStateQuery = z.object({ country_code: z.string().length(2).exactOptional() })

export const perksDisabled = z.object({ disabled: z.boolean() })

const premiumMembers = {
  premium_type: premiumTypeOutput,
  premium_since: instant.describe('Null if there is none, or it is hidden.'),
  premium_until: instant.describe('Null if it has no end, or there is none.'),
  premium_will_cancel: z.boolean().describe('Whether the subscription is not renewed.'),
  premium_billing_cycle: z.string().nullable(),
  premium_lifetime_sequence: z.int().nullable().describe('The number of a lifetime’s premium; null for others.'),
  premium_grace_ends_at: instant,
}

const storeSubscription = z
  .object({
    provider: z.enum(['store_a', 'store_b']),
    purchase_id: snowflakeOutput,
    slot: z.enum(['monthly', 'yearly']),
    billing_cycle: z.enum(['monthly', 'yearly']),
    state: z.enum(purchaseStates),
    expires_at: instant.describe('Null for never.'),
    grace_ends_at: instant,
    will_renew: z.boolean().describe('Whether the store renews it.'),
    manage_url: z.string(),
    environment: z.enum(['production', 'sandbox']),
  })
  .meta({ id: 'StoreSubscription' })

/** There is no card provider: nulls and empty lists. */
const billing = z.object({
  customer_id: z.null(),
  current_subscription_price: z.null(),
  pending_subscription_change: z.null(),
  subscription: z.null(),
  invoices: z.array(z.never()).readonly(),
  invoices_has_more: z.boolean().describe('Always false.'),
  payment_methods: z.array(z.never()).readonly(),
  refund_eligibility: z.object({
    eligible: z.boolean().describe('Whether it can be refunded here.'),
    reason: z.string().nullable(),
    invoice_id: z.null(),
    invoice_amount_paid_cents: z.null(),
    currency: z.null(),
    paid_at: z.null(),
    refund_window_expires_at: z.null(),
    cooldown_expires_at: z.null(),
    cancels_subscription: z.boolean().describe('Whether a refund ends the subscription.'),
  }),
})

export const premiumState = z
  .object({
    actual: z.object({
      ...premiumMembers,
      has_active_paid_premium: z.boolean().describe('Whether a paid subscription runs.'),
      is_visionary: z.boolean().describe('Whether premium is for a lifetime.'),
      has_ever_purchased: z.boolean().describe('Whether the account has bought anything.'),
    }),
    effective: z.object({
      is_premium: z.boolean().describe('Whether premium counts now.'),
      ...premiumMembers,
      premium_enabled_override: z
        .boolean()
        .describe('Whether staff have premium without paying. Needs the flag STAFF.'),
      premium_purchase_disabled: z.boolean().describe('Whether the account cannot buy premium.'),
      premium_perks_disabled: z
        .boolean()
        .describe('Whether the account has the marks of premium without what it brings.'),
      self_hosted: z.boolean().describe('Whether the instance sells nothing.'),
      bot: z.boolean().describe('Whether the account is a bot.'),
    }),
    billing,
    pricing: z.object({
      country_code: z.string().nullable().describe('Two letters of ISO 3166. Prices are not shown by country.'),
      localized: z.null(),
    }),
    store: storeSubscription.nullable(),
    subscription_provider: z.enum(['store_a', 'store_b']).nullable(),
  })
  .meta({ id: 'PremiumState' })
