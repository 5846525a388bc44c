import { z } from 'zod'
import { epochDigits, writtenInstant } from '../instants.ts'

// What store B answers. Members that are not named here are ignored.

const text = z.string().max(2048)
const accountToken = text.transform((token) => token.toLowerCase())
const accounts = z.object({ obfuscatedExternalAccountId: accountToken.nullish() })

/** SubscriptionPurchaseV2. State and line items are in every one: without them it is another answer. */
export const subscriptionPurchase = z.object({
  regionCode: text.nullish(),
  startTime: writtenInstant.nullish(),
  subscriptionState: text,
  latestOrderId: text.nullish(),
  lineItems: z
    .array(
      z.object({
        productId: text,
        expiryTime: writtenInstant.nullish(),
        latestSuccessfulOrderId: text.nullish(),
        autoRenewingPlan: z.object({ autoRenewEnabled: z.boolean().nullish() }).nullish(),
        offerDetails: z.object({ basePlanId: text.nullish() }).nullish(),
      }),
    )
    .min(1),
  linkedPurchaseToken: text.nullish(),
  testPurchase: z.object({}).nullish(),
  acknowledgementState: text.nullish(),
  externalAccountIdentifiers: accounts.nullish(),
  outOfAppPurchaseContext: z
    .object({ expiredExternalAccountIdentifiers: accounts.nullish(), expiredPurchaseToken: text.nullish() })
    .nullish(),
})
export type SubscriptionPurchase = z.output<typeof subscriptionPurchase>

/** ProductPurchaseV2, with the same. */
export const productPurchase = z.object({
  orderId: text.nullish(),
  regionCode: text.nullish(),
  obfuscatedExternalAccountId: accountToken.nullish(),
  purchaseCompletionTime: writtenInstant.nullish(),
  purchaseStateContext: z.object({ purchaseState: text }),
  testPurchaseContext: z.object({}).nullish(),
  productLineItem: z
    .array(
      z.object({
        productId: text,
        productOfferDetails: z
          .object({ quantity: z.int().min(1).nullish(), consumptionState: text.nullish() })
          .nullish(),
      }),
    )
    .min(1),
})
export type ProductPurchase = z.output<typeof productPurchase>

/** A page of the voided purchases. */
export const voidedPage = z.object({
  voidedPurchases: z.array(z.object({ purchaseToken: text, orderId: text, voidedTimeMillis: epochDigits })).nullish(),
  tokenPagination: z.object({ nextPageToken: text.nullish() }).nullish(),
})
