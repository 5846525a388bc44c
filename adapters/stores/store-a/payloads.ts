import { z } from 'zod'
import { epochMilliseconds } from '../instants.ts'

// What store A signs, and what it answers. Members that are not named here are ignored.

/** Identifiers of the store are digits, and go into paths. */
const transactionIdText = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\w-]+$/)
const text = z.string().max(512)
const accountToken = text.transform((token) => token.toLowerCase())

/** A transaction. */
export const transactionPayload = z.object({
  transactionId: transactionIdText,
  originalTransactionId: transactionIdText,
  bundleId: text,
  productId: text,
  type: text,
  purchaseDate: epochMilliseconds,
  signedDate: epochMilliseconds,
  environment: text,
  expiresDate: epochMilliseconds.nullish(),
  quantity: z.int().min(1).nullish(),
  appAccountToken: accountToken.nullish(),
  inAppOwnershipType: text.nullish(),
  revocationDate: epochMilliseconds.nullish(),
  revocationReason: z.int().nullish(),
  revocationType: text.nullish(),
  storefront: text.nullish(),
})
export type TransactionPayload = z.output<typeof transactionPayload>

/** What the store says of the next renewal. */
export const renewalPayload = z.object({
  originalTransactionId: transactionIdText,
  productId: text,
  environment: text,
  signedDate: epochMilliseconds,
  autoRenewStatus: z.int().nullish(),
  gracePeriodExpiresDate: epochMilliseconds.nullish(),
  recentSubscriptionStartDate: epochMilliseconds.nullish(),
  appAccountToken: accountToken.nullish(),
})
export type RenewalPayload = z.output<typeof renewalPayload>

const identity = { bundleId: text, appAppleId: z.int().nullish() }

/** A notification. */
export const notificationPayload = z.object({
  notificationType: z.string().min(1).max(128),
  subtype: z.string().max(128).nullish(),
  notificationUUID: z.string().min(1).max(128),
  signedDate: epochMilliseconds,
  data: z
    .object({
      ...identity,
      environment: text,
      signedTransactionInfo: z.string().nullish(),
      signedRenewalInfo: z.string().nullish(),
    })
    .nullish(),
  summary: z.object({ ...identity, environment: text }).nullish(),
  appData: z.object({ ...identity, environment: text }).nullish(),
  externalPurchaseToken: z.object({ ...identity, externalPurchaseId: text }).nullish(),
})
export type NotificationPayload = z.output<typeof notificationPayload>

/** The answer to Get All Subscription Statuses. */
export const subscriptionStatuses = z.object({
  environment: text,
  bundleId: text,
  data: z.array(
    z.object({
      lastTransactions: z.array(
        z.object({
          originalTransactionId: text,
          status: z.int(),
          signedTransactionInfo: z.string(),
          signedRenewalInfo: z.string().nullish(),
        }),
      ),
    }),
  ),
})

/** The answer to Get Transaction Info. */
export const transactionInfo = z.object({ signedTransactionInfo: z.string() })

/** A page of the notification history. */
export const historyPage = z.object({
  notificationHistory: z.array(z.object({ signedPayload: z.string() })),
  hasMore: z.boolean(),
  paginationToken: z.string().nullish(),
})

export const storeError = z.object({ errorCode: z.int() })
