import type { PurchaseSecrets } from '../../../application/ports/stores.ts'
import { hasEnded, msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import {
  kindOf,
  type PurchaseFacts,
  type PurchaseSlot,
  type ReadState,
} from '../../../domain/store-purchase/purchase-facts.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreBSetup } from '../store-settings.ts'
import type { ProductPurchase, SubscriptionPurchase } from './answers.ts'

export interface ReadFacts {
  readonly facts: PurchaseFacts
  readonly secrets: PurchaseSecrets
}

interface ItemOf<Item> {
  readonly item: Item
  readonly slot: PurchaseSlot
}

/** What a read of a subscription says. Throws StoreFailed, `rejected`, if none of its products is configured. */
export function subscriptionFacts(
  setup: StoreBSetup,
  packageName: string,
  read: SubscriptionPurchase,
  now: Timestamp,
): ReadFacts {
  const { item, slot } = lastConfigured(setup, read)
  const expiresAt = item.expiryTime ?? null
  const { state, grants } = standingOf(read.subscriptionState, expiresAt, now)
  return {
    facts: {
      appId: packageName,
      productId: item.productId,
      basePlanId: item.offerDetails?.basePlanId ?? null,
      slot,
      environment: read.testPurchase ? 'sandbox' : 'production',
      state,
      grants,
      storeState: read.subscriptionState,
      expiresAt,
      graceEndsAt: state === 'grace' ? expiresAt : null,
      autoRenew: item.autoRenewingPlan?.autoRenewEnabled === true,
      startedAt: read.startTime ?? null,
      purchasedAt: read.startTime ?? null,
      ...neverTold,
      region: read.regionCode ?? null,
      acknowledged: read.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED',
      quantity: 1,
    },
    secrets: secretsOfSubscription(read, item.latestSuccessfulOrderId ?? read.latestOrderId ?? null),
  }
}

/** Store B tells these only by voided purchases, or not at all. */
const neverTold = { revokedAt: null, revocationReason: null, ownershipType: null } as const

type SubscriptionItem = SubscriptionPurchase['lineItems'][number]

/** The configured line item that expires last. */
function lastConfigured({ products }: StoreBSetup, { lineItems }: SubscriptionPurchase): ItemOf<SubscriptionItem> {
  const configured = lineItems.flatMap((item) => {
    const slot = products.get(`${item.productId}:${item.offerDetails?.basePlanId ?? ''}`)
    return slot !== undefined && kindOf(slot) === 'subscription' ? [{ item, slot }] : []
  })
  const [last] = configured.toSorted((one, other) => endOf(other.item) - endOf(one.item))
  if (!last) throw new StoreFailed('rejected', 'unknown_product')
  return last
}

function endOf({ expiryTime }: SubscriptionItem): number {
  return expiryTime ? msOf(expiryTime) : 0
}

interface SubscriptionState {
  readonly state: ReadState
  readonly grants: boolean
}

/** What the store's name of a state means here, and whether it grants premium (rules/stores#states). */
function standingOf(storeState: string, expiresAt: Timestamp | null, now: Timestamp): SubscriptionState {
  const isPaid = expiresAt !== null && !hasEnded(expiresAt, now)
  switch (storeState) {
    case 'SUBSCRIPTION_STATE_ACTIVE':
      // The renewal may be late: an end that has just passed counts.
      return { state: 'active', grants: expiresAt !== null }
    case 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD':
      return { state: 'grace', grants: isPaid }
    case 'SUBSCRIPTION_STATE_CANCELED':
      return { state: isPaid ? 'canceled' : 'expired', grants: isPaid }
    case 'SUBSCRIPTION_STATE_ON_HOLD':
      return { state: 'on_hold', grants: false }
    case 'SUBSCRIPTION_STATE_PAUSED':
      return { state: 'paused', grants: false }
    case 'SUBSCRIPTION_STATE_EXPIRED':
    case 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED':
      return { state: 'expired', grants: false }
    default:
      return { state: 'pending', grants: false }
  }
}

function secretsOfSubscription(read: SubscriptionPurchase, latestTransactionId: string | null): PurchaseSecrets {
  const { linkedPurchaseToken, externalAccountIdentifiers: accounts, outOfAppPurchaseContext: outside } = read
  return {
    latestTransactionId,
    accountToken: accounts?.obfuscatedExternalAccountId ?? null,
    linkedPurchaseToken: linkedPurchaseToken ?? null,
    expired: {
      purchaseToken: outside?.expiredPurchaseToken ?? null,
      accountToken: outside?.expiredExternalAccountIdentifiers?.obfuscatedExternalAccountId ?? null,
    },
  }
}

/** What a read of a gift says. Throws StoreFailed, `rejected`, if its product is not configured. */
export function giftFacts(setup: StoreBSetup, packageName: string, read: ProductPurchase): ReadFacts {
  const { item, slot } = configuredGift(setup, read)
  const storeState = read.purchaseStateContext.purchaseState
  const state = giftState(storeState)
  const purchasedAt = read.purchaseCompletionTime ?? null
  return {
    facts: {
      appId: packageName,
      productId: item.productId,
      basePlanId: null,
      slot,
      environment: read.testPurchaseContext ? 'sandbox' : 'production',
      state,
      grants: state === 'purchased',
      storeState,
      expiresAt: null,
      graceEndsAt: null,
      autoRenew: null,
      startedAt: purchasedAt,
      purchasedAt,
      ...neverTold,
      region: read.regionCode ?? null,
      acknowledged: item.productOfferDetails?.consumptionState === 'CONSUMPTION_STATE_CONSUMED',
      quantity: item.productOfferDetails?.quantity ?? 1,
    },
    secrets: {
      latestTransactionId: read.orderId ?? null,
      accountToken: read.obfuscatedExternalAccountId ?? null,
      linkedPurchaseToken: null,
      expired: { purchaseToken: null, accountToken: null },
    },
  }
}

function giftState(storeState: string): ReadState {
  if (storeState === 'PURCHASED') return 'purchased'
  return storeState === 'CANCELLED' ? 'refunded' : 'pending'
}

type ProductItem = ProductPurchase['productLineItem'][number]

function configuredGift({ products }: StoreBSetup, { productLineItem }: ProductPurchase): ItemOf<ProductItem> {
  for (const item of productLineItem) {
    const slot = products.get(item.productId)
    if (slot !== undefined && kindOf(slot) === 'gift') return { item, slot }
  }
  throw new StoreFailed('rejected', 'unknown_product')
}
