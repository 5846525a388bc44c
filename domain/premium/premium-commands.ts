import type { Timestamp } from '../kernel/timestamp.ts'
import type { PurchaseState } from '../store-purchase/purchase-facts.ts'
import type { GiftDuration } from './gift-duration.ts'
import type { PurchaseLinked } from './premium-events.ts'

export type PremiumCommand =
  | LinkPurchase
  | UnlinkPurchase
  | MakeStoreToken
  | NoteSubscriptionsRevoked
  | NoteGiftCode
  | SeeGiftCodes
  | ApplyPurchases
  | EndPremiumGrace
  | EndExpiredPremium
  | AddGiftTime
  | TakeGiftTime
  | ReturnGiftTime
  | SetLifetimePremium
  | RemovePremium
  | UpdatePremiumFlags

/** A purchase that an account names. */
export type PurchaseLink = Omit<PurchaseLinked, 'accountId' | 'linkedAt'>

/** Linking a purchase again changes nothing. */
export interface LinkPurchase extends PurchaseLink {
  readonly type: 'LinkPurchase'
  readonly now: Timestamp
}

export interface UnlinkPurchase {
  readonly type: 'UnlinkPurchase'
  readonly purchase: string
  readonly now: Timestamp
}

/** An account that has a token keeps it. */
export interface MakeStoreToken {
  readonly type: 'MakeStoreToken'
  readonly token: string
  readonly tokenHash: string
  readonly now: Timestamp
}

/** Store B has revoked these subscriptions with a refund, or there was none to revoke. */
export interface NoteSubscriptionsRevoked {
  readonly type: 'NoteSubscriptionsRevoked'
  readonly purchases: readonly string[]
  readonly now: Timestamp
}

/** The code of a linked gift exists: it counts as obtained once. */
export interface NoteGiftCode {
  readonly type: 'NoteGiftCode'
  readonly purchase: string
}

/** The client has seen all gift codes. */
export interface SeeGiftCodes {
  readonly type: 'SeeGiftCodes'
}

/** A purchase as it counts for the premium of its owner. */
export interface AppliedPurchase {
  readonly purchase: string
  readonly entitled: boolean
  readonly state: PurchaseState
  readonly expiresAt: Timestamp | null
  readonly graceEndsAt: Timestamp | null
  readonly autoRenew: boolean | null
  readonly startedAt: Timestamp | null
  readonly revokedAt: Timestamp | null
}

/** Computes premium from subscriptions: all those that the account names, and those that left it. */
export interface ApplyPurchases {
  readonly type: 'ApplyPurchases'
  /** A subscription that the account names from now on, in the same step. */
  readonly link?: PurchaseLink
  readonly purchases: readonly AppliedPurchase[]
  readonly now: Timestamp
}

/** Ends a running grace; changes nothing without one. */
export interface EndPremiumGrace {
  readonly type: 'EndPremiumGrace'
  readonly now: Timestamp
}

/** Clears premium that is over. Changes nothing for bots, lifetime holders and ENABLED_OVERRIDE. */
export interface EndExpiredPremium {
  readonly type: 'EndExpiredPremium'
  readonly now: Timestamp
}

/** Redeems a gift. Redeeming the same gift again changes nothing. */
export interface AddGiftTime {
  readonly type: 'AddGiftTime'
  readonly gift: string
  readonly duration: GiftDuration
  /** For a gift of a lifetime: the number of its holder. */
  readonly lifetimeNumber?: number
  readonly now: Timestamp
}

/** Takes back what is left of a gift's time. */
export interface TakeGiftTime {
  readonly type: 'TakeGiftTime'
  readonly gift: string
  readonly now: Timestamp
}

/** Gives back exactly what was taken. */
export interface ReturnGiftTime {
  readonly type: 'ReturnGiftTime'
  readonly gift: string
  readonly now: Timestamp
}

/** An account keeps the number that it had before. */
export interface SetLifetimePremium {
  readonly type: 'SetLifetimePremium'
  readonly lifetimeNumber: number
  readonly now: Timestamp
}

/** Takes away a lifetime, or whatever premium there is. Purchases that still pay count again with the next computation. */
export interface RemovePremium {
  readonly type: 'RemovePremium'
  readonly now: Timestamp
}

/** The same as UpdateFlags for premium flags, which are unsigned 32-bit integers. */
export interface UpdatePremiumFlags {
  readonly type: 'UpdatePremiumFlags'
  readonly add: readonly number[]
  readonly remove: readonly number[]
}
