import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type {
  PurchaseFacts,
  PurchaseKind,
  PurchaseSlot,
  StoreEnvironment,
} from '../../domain/store-purchase/purchase-facts.ts'

/** Names a purchase of store A. The original transaction id is a secret. */
export interface StoreAKey {
  readonly provider: 'store_a'
  /** Null if it is not known: then production is asked first, then the sandbox. */
  readonly environment: StoreEnvironment | null
  readonly bundleId: string
  /** A gift is read as a transaction, a subscription by its status. */
  readonly kind: PurchaseKind
  readonly originalTransactionId: string
}

/** Names a purchase of store B. The purchase token is a secret. */
export interface StoreBKey {
  readonly provider: 'store_b'
  readonly packageName: string
  readonly kind: PurchaseKind
  readonly purchaseToken: string
}

export type StoreKey = StoreAKey | StoreBKey

/**
 * Why a store gave nothing. `detail` is for the log and for metrics: a word of our own, such as `timeout`, `http_500`,
 * `untrusted_chain`. It never has a token, an id, a payload, or text of the store.
 */
export interface StoreFailure {
  /**
   * - `not found`: the store does not know the purchase: store A answers 4040010, store B 400, 404 or 410 for the token
   * - `unavailable`: no answer in time, or one that says nothing of the purchase: 401, 403, 429, 5xx, a broken
   *   connection
   * - `rejected`: what was submitted or answered does not verify, or is of a product, app or type that is not
   *   configured
   * - `not set up`: this instance has no settings for the store
   */
  readonly kind: 'not found' | 'unavailable' | 'rejected' | 'not set up'
  readonly detail: string
}

/** What a store answers. Failures come back as values; nothing is thrown. */
export type StoreAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: StoreFailure }

/** What a read says that belongs to nobody else: seal it, or hash it, before it is kept. */
export interface PurchaseSecrets {
  /** Store A: transactionId. Store B: the latest order. Null if the store gives none. */
  readonly latestTransactionId: string | null
  /** The account token that the purchase carries, in lower case; null without one. */
  readonly accountToken: string | null
  /** Store B: the token of the subscription that this purchase replaces. */
  readonly linkedPurchaseToken: string | null
  /** Store B, a re-subscription made outside of the app: the purchase and account that it continues. */
  readonly expired: {
    readonly purchaseToken: string | null
    readonly accountToken: string | null
  }
}

/** What a read of a purchase gives. */
export interface StoreReading {
  /** As asked, with the environment in which store A knows the purchase. */
  readonly key: StoreKey
  readonly facts: PurchaseFacts
  readonly secrets: PurchaseSecrets
  /**
   * When the store said this: for store A the larger of the two signedDates, for store B the time just before the request was sent.
   * Of two readings the one with the later time counts.
   */
  readonly asOf: Timestamp
}

/** A transaction that store A has signed, after verification. It proves nothing of the purchase's state. */
export interface SignedTransaction {
  readonly key: StoreAKey & { readonly environment: StoreEnvironment }
  readonly productId: string
  /** Of the product, by configuration. */
  readonly slot: PurchaseSlot
  readonly signedAt: Timestamp
}

/** A verified notification of store A. */
export interface StoreANotification {
  /** notificationUUID. */
  readonly id: string
  readonly type: string
  readonly subtype: string | null
  readonly signedAt: Timestamp
  /** The purchase to read again; null for none, and for a product that is not configured. */
  readonly purchase: SignedTransaction['key'] | null
}

/** A verified push message of store B; what it says is decoded as far as it is known. */
export interface StoreBNotification {
  /** The message's id. */
  readonly id: string
  /** For metrics: `subscription:4`, `one_time:1`, `voided`, `test`, `other`. */
  readonly type: string
  readonly at: Timestamp
  /** The purchase to read again; null for none, and for a package that is not configured. */
  readonly purchase: StoreBKey | null
  /** A voided purchase; its kind is that of `purchase`. */
  readonly voided: VoidedOrder | null
}

export interface VoidedOrder {
  /** A secret. */
  readonly orderId: string
  readonly voidedAt: Timestamp
}

/** An entry of store B's list of voided purchases. Its kind is not told: the purchase's own record knows it. */
export interface VoidedPurchase extends VoidedOrder {
  readonly packageName: string
  readonly purchaseToken: string
}

/** What of store A's notification history is asked for. */
export interface NotificationHistoryQuery {
  readonly bundleId: string
  readonly from: Timestamp
  readonly to: Timestamp
  /** `failures`: those of any type that this service did not receive. */
  readonly of: 'failures' | 'REFUND' | 'REFUND_REVERSED' | 'REVOKE'
}

/** What is configured, for the purchase context and for checks. Both lists are empty if the store is not set up. */
export interface StoreASettings {
  readonly enabled: boolean
  readonly bundleIds: readonly string[]
  readonly products: readonly { readonly productId: string; readonly slot: PurchaseSlot }[]
}

export interface StoreBSettings {
  readonly enabled: boolean
  /** The first one is the default. */
  readonly packageNames: readonly string[]
  readonly products: readonly {
    readonly productId: string
    /** Null for a one-time product. */
    readonly basePlanId: string | null
    readonly slot: PurchaseSlot
  }[]
}

export interface StoreA {
  readonly settings: StoreASettings
  /**
   * Verifies a signed transaction: signature and chain, app, environment, and that its product is configured. Fails with `rejected`
   * before any request to the store, and with `not set up`.
   */
  verifyTransaction(signedTransaction: string): Promise<StoreAnswer<SignedTransaction>>
  /** Verifies a notification and all that is signed within it. Fails with `rejected` and `not set up`. */
  verifyNotification(signedPayload: string): Promise<StoreAnswer<StoreANotification>>
  /**
   * Sets the token that the purchase carries: a UUID in lower case. Not for purchases shared in a family. Fails with `rejected`
   * if the store takes none for this purchase.
   */
  setAccountToken(key: StoreAKey, accountToken: string): Promise<StoreAnswer<null>>
  /** The signed payloads of past notifications of production, newest or oldest first as the store has them, at most `pages_max` pages. */
  notificationHistory(query: NotificationHistoryQuery, pages_max: number): Promise<StoreAnswer<readonly string[]>>
}

export interface StoreB {
  readonly settings: StoreBSettings
  /**
   * Verifies a push message: the Authorization header, then the body. Fails with `rejected` if the token is not the store's, and
   * with `unavailable` if the store's keys can't be fetched. A body that is no push message of a known form gives null.
   */
  verifyPush(authorization: string | undefined, body: unknown): Promise<StoreAnswer<StoreBNotification | null>>
  /** Acknowledges a subscription. Fails with `rejected` where it may be acknowledged already: a read tells. */
  acknowledge(key: StoreBKey, productId: string): Promise<StoreAnswer<null>>
  /** Consumes a gift, which acknowledges it too. */
  consume(key: StoreBKey, productId: string): Promise<StoreAnswer<null>>
  /** Refunds an order and revokes what it bought. */
  refund(packageName: string, orderId: string): Promise<StoreAnswer<null>>
  /** Stops the payments of a subscription; what is paid stays. For accounts that are erased. */
  cancel(key: StoreBKey): Promise<StoreAnswer<null>>
  /** Ends a subscription at once and refunds it in full (deletion by an administrator). */
  revoke(key: StoreBKey): Promise<StoreAnswer<null>>
  /** The purchases voided since an instant, subscriptions too, of one package, at most `pages_max` pages. */
  voidedPurchases(
    packageName: string,
    since: Timestamp,
    pages_max: number,
  ): Promise<StoreAnswer<readonly VoidedPurchase[]>>
}

/**
 * The two stores where premium is bought. An instance that is not hosted, or has no settings of a store, has one that
 * answers `not set up`. No request is repeated here; each ends within its time limit.
 */
export interface Stores {
  readonly storeA: StoreA
  readonly storeB: StoreB
  /** The state of a purchase now, as its store says. Fails with every kind. */
  read(key: StoreKey): Promise<StoreAnswer<StoreReading>>
  /** Whether the account's sandbox purchases count. */
  mayUseSandbox(account: AccountId): boolean
}
