import type { StorePurchaseId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { PurchaseKind } from '../store-purchase/purchase-facts.ts'
import type { GiftLedger } from './gift-ledger.ts'

/** 0 none, 1 subscription, 2 lifetime. */
export type PremiumType = 0 | 1 | 2

/** What is stored of an account's premium and shown of it. Whether it counts now is another question: `premiumNow`. */
export interface PremiumFields {
  readonly type: PremiumType
  readonly since: Timestamp | null
  /** The end of the paid subscription. */
  readonly until: Timestamp | null
  /** The end of the gift time, which is kept apart: paid time never uses it up. */
  readonly giftUntil: Timestamp | null
  /** The end of the grace after the end; null for 3 days after it. */
  readonly graceEndsAt: Timestamp | null
  readonly willCancel: boolean
  /** The number of a lifetime holder, which stays its own for good. */
  readonly lifetimeNumber: number | null
  /** Whether it ever paid, for a gift too. */
  readonly hasEverPurchased: boolean
  /** How many gift codes it has obtained, and how many of them its client has seen. */
  readonly gifts: { readonly obtained_count: number; readonly seen_count: number }
}

/** A purchase that is the account's. */
export interface PurchaseLink {
  /** The id of the purchase's stream. */
  readonly purchase: string
  readonly purchaseId: StorePurchaseId
  readonly kind: PurchaseKind
  readonly linkedAt: Timestamp
  /** Whether the account was told of the gift code: it counts as obtained once. */
  readonly giftNoted: boolean
}

/** All that an account knows of its premium. */
export interface Premium extends PremiumFields {
  readonly purchases: readonly PurchaseLink[]
  /** The purchase that `until` comes from; null for none, and once that purchase was cut. */
  readonly paidBy: string | null
  /** The holder ended the grace after this end: a purchase that ends no later counts no more. */
  readonly graceEndedFor: Timestamp | null
  readonly ledger: GiftLedger
  /** The gift that gave a lifetime; null for none. */
  readonly lifetimeGift: string | null
  /** The token that purchases carry in the stores; `token` is null once the account's key is destroyed. */
  readonly storeToken: { readonly token: string | null; readonly tokenHash: string } | null
}

export const noPremiumFields: PremiumFields = {
  type: 0,
  since: null,
  until: null,
  giftUntil: null,
  graceEndsAt: null,
  willCancel: false,
  lifetimeNumber: null,
  hasEverPurchased: false,
  gifts: { obtained_count: 0, seen_count: 0 },
}

export const noPremium: Premium = {
  ...noPremiumFields,
  purchases: [],
  paidBy: null,
  graceEndedFor: null,
  ledger: { gifts: [], taken: [], paid: [], cuts: [] },
  lifetimeGift: null,
  storeToken: null,
}

/** The fields without the rest. */
export function fieldsOf(premium: PremiumFields): PremiumFields {
  const { type, since, until, giftUntil, graceEndsAt, willCancel, lifetimeNumber, hasEverPurchased, gifts } = premium
  return { type, since, until, giftUntil, graceEndsAt, willCancel, lifetimeNumber, hasEverPurchased, gifts }
}

/** The later of two instants; null if there is none. */
export function later(one: Timestamp | null, other: Timestamp | null): Timestamp | null {
  if (other === null) return one
  return (one ?? other) > other ? one : other
}

/** The end that is shown: the later of subscription and gift time. */
export function endOf({ until, giftUntil }: Pick<PremiumFields, 'until' | 'giftUntil'>): Timestamp | null {
  return later(until, giftUntil)
}
