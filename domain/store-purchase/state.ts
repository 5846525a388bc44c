import type { AccountId, StorePurchaseId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { KeptSecrets, PurchaseHashes } from './events.ts'
import type { PurchaseFacts, StoreProvider } from './purchase-facts.ts'

export type StorePurchaseState = { readonly status: 'absent' } | ({ readonly status: 'seen' } & StorePurchase)

export interface StorePurchase {
  /** The id of its stream. */
  readonly purchase: string
  readonly purchaseId: StorePurchaseId
  readonly provider: StoreProvider
  /** Null once the purchase's key is destroyed, as are the secrets. */
  readonly storeKey: string | null
  readonly seenAt: Timestamp
  readonly changedAt: Timestamp
  /** Null until the first reading. */
  readonly reading: PurchaseReading | null
  readonly owner: AccountId | null
  readonly linkedAt: Timestamp | null
  readonly releasedAt: Timestamp | null
  /** The tokens that it carried when it was released. */
  readonly releasedTokens: readonly string[]
  /** The id of the purchase that replaced it. */
  readonly supersededBy: string | null
  readonly voided: { readonly orderHash: string; readonly at: Timestamp } | null
  /** The id of the gift whose code it paid for. */
  readonly gift: string | null
  /** When the store was told: acknowledged, or consumed. */
  readonly fulfilledAt: Timestamp | null
  /** When this service had the money sent back, and why. */
  readonly sentBack: { readonly reason: string; readonly at: Timestamp } | null
  /** Accounts that do not have it any more, but may still name it. */
  readonly leaving: readonly AccountId[]
  /** How many events changed what accounts and gifts follow from, and how many of them they follow. */
  readonly changes_count: number
  readonly settled_count: number
  /** Whether the money is back: what follows from that is done, or being done. */
  readonly isRefunded: boolean
}

export interface PurchaseReading {
  readonly asOf: Timestamp
  readonly readAt: Timestamp
  readonly facts: PurchaseFacts
  readonly hashes: PurchaseHashes
  readonly secrets: KeptSecrets
}
