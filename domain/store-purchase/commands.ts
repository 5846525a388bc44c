import type { AccountId, StorePurchaseId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { KeptSecrets, PurchaseHashes } from './events.ts'
import type { PurchaseFacts, StoreProvider } from './purchase-facts.ts'
import type { OwnerRights } from './shown-purchase.ts'

export type StorePurchaseCommand =
  | TakeReading
  | NoteUnknown
  | ReleasePurchase
  | SupersedePurchase
  | VoidPurchase
  | MintCode
  | FulfilPurchase
  | NoteSentBack
  | SettlePurchase

/** An account as owner rules need it: it is live if it exists and lacks DELETED. */
export interface PossibleOwner {
  readonly accountId: AccountId
  readonly isLive: boolean
  /** Whether its sandbox purchases count. */
  readonly mayUseSandbox: boolean
}

/** What the store said, and who may own the purchase. */
export interface TakeReading {
  readonly type: 'TakeReading'
  readonly purchase: string
  /** For a purchase that was never seen before. */
  readonly newId: StorePurchaseId
  readonly provider: StoreProvider
  readonly storeKey: string
  readonly asOf: Timestamp
  readonly facts: PurchaseFacts
  readonly hashes: PurchaseHashes
  readonly secrets: KeptSecrets
  readonly owners: {
    /** Who has it, as far as the sender knows. */
    readonly present: PossibleOwner | null
    /** Who claims it; null for a notification or a refresh. */
    readonly claimer: PossibleOwner | null
    /** The live account of the token that it carries. */
    readonly ofToken: AccountId | null
    /** Store B: the live owner of the purchase that this one replaces or continues. */
    readonly inherited: AccountId | null
  }
  readonly now: Timestamp
}

/** The store does not know the purchase any more: a subscription is over, a gift stays. */
export interface NoteUnknown {
  readonly type: 'NoteUnknown'
  readonly asOf: Timestamp
  readonly now: Timestamp
}

export interface ReleasePurchase {
  readonly type: 'ReleasePurchase'
  readonly accountId: AccountId
  /** The hash of the account's own token, which the store may have been given since the last reading; null for none. */
  readonly ownTokenHash?: string | null
  readonly now: Timestamp
}

/** Another purchase of store B replaces it. */
export interface SupersedePurchase {
  readonly type: 'SupersedePurchase'
  /** The one that is replaced. It may never have been read; an account that claims it later gets nothing. */
  readonly purchase: string
  /** For a purchase that was never seen before. */
  readonly newId: StorePurchaseId
  readonly storeKey: string
  readonly by: string
  readonly now: Timestamp
}

/** The store voided an order. For a subscription only its latest order counts. */
export interface VoidPurchase {
  readonly type: 'VoidPurchase'
  readonly orderHash: string
  readonly voidedAt: Timestamp
  readonly now: Timestamp
}

/** The gift's code exists from now on. A purchase has one code, whatever is minted later. */
export interface MintCode {
  readonly type: 'MintCode'
  readonly gift: string
  /** What the purchase's owner may have. */
  readonly rights: OwnerRights
  readonly now: Timestamp
}

/** The store knows that the purchase was delivered: acknowledged, or consumed. */
export interface FulfilPurchase {
  readonly type: 'FulfilPurchase'
  readonly now: Timestamp
}

/** Accounts and gifts follow the purchase as it was after so many changes. */
export interface SettlePurchase {
  readonly type: 'SettlePurchase'
  readonly changes_count: number
  readonly now: Timestamp
}

/** This service had the money sent back. */
export interface NoteSentBack {
  readonly type: 'NoteSentBack'
  readonly reason: 'lifetime_refund' | 'unsupported_quantity'
  readonly now: Timestamp
}
