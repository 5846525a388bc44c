import type { PurchaseSecrets } from '../../../application/ports/stores.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type {
  PurchaseFacts,
  PurchaseSlot,
  ReadState,
  StoreEnvironment,
} from '../../../domain/store-purchase/purchase-facts.ts'
import type { RenewalPayload, TransactionPayload } from './payloads.ts'

/** The numbers by which the store gives the status of a subscription. */
const status = { active: 1, expired: 2, billingRetry: 3, grace: 4, revoked: 5 } as const

/** A subscription as store A shows it: one of its transactions, and what is known of the next renewal. */
export interface ReadSubscription {
  readonly status: number
  readonly transaction: TransactionPayload
  readonly renewal: RenewalPayload | undefined
}

/** A refund overrides the status that the store gives (rules/stores#states). */
function stateOf({ status: number, transaction, renewal }: ReadSubscription): ReadState {
  if (number === status.revoked || isSet(transaction.revocationDate)) return 'revoked'
  if (number === status.active) return renewal?.autoRenewStatus === 0 ? 'canceled' : 'active'
  if (number === status.grace) return 'grace'
  if (number === status.billingRetry) return 'billing_retry'
  return number === status.expired ? 'expired' : 'pending'
}

/** What a read of a subscription says. */
export function subscriptionFacts(
  read: ReadSubscription,
  slot: PurchaseSlot,
  environment: StoreEnvironment,
): PurchaseFacts {
  const { transaction, renewal } = read
  const state = stateOf(read)
  const expiresAt = transaction.expiresDate ?? null
  return {
    ...sharedFacts(transaction, slot, environment),
    state,
    grants: state === 'active' || state === 'canceled' || state === 'grace',
    storeState: String(read.status),
    expiresAt,
    graceEndsAt: state === 'grace' ? (renewal?.gracePeriodExpiresDate ?? expiresAt) : null,
    autoRenew: renewal ? renewal.autoRenewStatus === 1 : null,
    startedAt: renewal?.recentSubscriptionStartDate ?? transaction.purchaseDate,
    quantity: 1,
  }
}

/** What a read of a gift says. */
export function giftFacts(
  transaction: TransactionPayload,
  slot: PurchaseSlot,
  environment: StoreEnvironment,
): PurchaseFacts {
  const isRefunded = isSet(transaction.revocationDate)
  return {
    ...sharedFacts(transaction, slot, environment),
    state: isRefunded ? 'refunded' : 'purchased',
    grants: !isRefunded,
    storeState: transaction.revocationType ?? null,
    expiresAt: null,
    graceEndsAt: null,
    autoRenew: null,
    startedAt: transaction.purchaseDate,
    quantity: transaction.quantity ?? 1,
  }
}

function sharedFacts(transaction: TransactionPayload, slot: PurchaseSlot, environment: StoreEnvironment) {
  return {
    appId: transaction.bundleId,
    productId: transaction.productId,
    basePlanId: null,
    slot,
    environment,
    purchasedAt: transaction.purchaseDate,
    revokedAt: transaction.revocationDate ?? null,
    revocationReason: transaction.revocationType ?? textOf(transaction.revocationReason),
    ownershipType: transaction.inAppOwnershipType ?? null,
    region: transaction.storefront ?? null,
    acknowledged: true,
  }
}

/** The renewal's account token has precedence. */
export function secretsOf(transaction: TransactionPayload, renewal: RenewalPayload | undefined): PurchaseSecrets {
  return {
    latestTransactionId: transaction.transactionId,
    accountToken: renewal?.appAccountToken ?? transaction.appAccountToken ?? null,
    linkedPurchaseToken: null,
    expired: { purchaseToken: null, accountToken: null },
  }
}

/** When the store said this: the larger of the two signedDates. */
export function saidAt(transaction: TransactionPayload, renewal: RenewalPayload | undefined): Timestamp {
  return renewal && renewal.signedDate > transaction.signedDate ? renewal.signedDate : transaction.signedDate
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

function textOf(number: number | null | undefined): string | null {
  return isSet(number) ? String(number) : null
}
