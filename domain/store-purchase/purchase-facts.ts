import type { Timestamp } from '../kernel/timestamp.ts'

/** `store_a` signs transactions; `store_b` issues purchase tokens. */
export const storeProviders = ['store_a', 'store_b'] as const
export type StoreProvider = (typeof storeProviders)[number]

/** `sandbox` is store A's sandbox, or a license test of store B. */
export const storeEnvironments = ['production', 'sandbox'] as const
export type StoreEnvironment = (typeof storeEnvironments)[number]

export type PurchaseKind = 'subscription' | 'gift'

/** What is on sale: the kind of each slot, and how long it lasts. */
export const purchaseSlots = {
  monthly: { kind: 'subscription', unit: 'months', quantity: 1 },
  yearly: { kind: 'subscription', unit: 'years', quantity: 1 },
  gift_1_month: { kind: 'gift', unit: 'months', quantity: 1 },
  gift_1_year: { kind: 'gift', unit: 'years', quantity: 1 },
} as const
export type PurchaseSlot = keyof typeof purchaseSlots

/** The kind of what is sold in a slot. */
export function kindOf(slot: PurchaseSlot): PurchaseKind {
  return purchaseSlots[slot].kind
}

/** The states that a read of a subscription gives. */
export const subscriptionStates = [
  'pending',
  'active',
  'grace',
  'billing_retry',
  'on_hold',
  'paused',
  'canceled',
  'expired',
  'revoked',
] as const

/** The states that a read of a gift gives. */
export const giftStates = ['pending', 'purchased', 'refunded'] as const

/** What a read can say of a purchase. `superseded` and `fulfilled` are never read: this service adds them. */
export type ReadState = (typeof subscriptionStates)[number] | (typeof giftStates)[number]

/** All states of a purchase: those that a read gives, and those that this service adds. */
export const purchaseStates = [...new Set([...subscriptionStates, ...giftStates, 'superseded', 'fulfilled'] as const)]
export type PurchaseState = (typeof purchaseStates)[number]

/** What is sold, and where: it follows from the first read, and changes when a subscription moves to another product. */
export interface PurchasedProduct {
  /** Bundle id or package name. */
  readonly appId: string
  readonly productId: string
  /** Store B's base plan; null for a one-time product and for store A. */
  readonly basePlanId: string | null
  readonly slot: PurchaseSlot
}

/** What a read of a purchase says, without its secrets. Every member is present; null where the store says nothing. */
export interface PurchaseFacts extends PurchasedProduct {
  readonly environment: StoreEnvironment
  readonly state: ReadState
  /** Whether the store grants access in this state, at the time of the read ("Provider grants access"). */
  readonly grants: boolean
  /** The store's own name or number of the state. */
  readonly storeState: string | null
  /** The end of the paid period; null for a gift. */
  readonly expiresAt: Timestamp | null
  /** Only in the state `grace`. */
  readonly graceEndsAt: Timestamp | null
  /** Null for a gift. */
  readonly autoRenew: boolean | null
  readonly startedAt: Timestamp | null
  readonly purchasedAt: Timestamp | null
  readonly revokedAt: Timestamp | null
  /** The store's word for why it was revoked. */
  readonly revocationReason: string | null
  /** Store A: `PURCHASED` or `FAMILY_SHARED`. */
  readonly ownershipType: string | null
  /** The country of the customer's store account. */
  readonly region: string | null
  /** Always true for store A; for a gift of store B, true once consumed. */
  readonly acknowledged: boolean
  /** How many were bought at once. */
  readonly quantity: number
}
