import type { AccountId, StorePurchaseId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type {
  PurchaseKind,
  PurchaseState,
  StoreEnvironment,
  StoreProvider,
} from '../../../domain/store-purchase/purchase-facts.ts'

/** A purchase whose next reading is due. */
export interface DuePurchase {
  /** The id of its stream. */
  readonly purchase: string
  readonly dueAt: Timestamp
}

/** A purchase as it is shown, without anything secret. Product, kind and environment are null until it was read. */
export interface ListedPurchase {
  readonly id: StorePurchaseId
  /** Whose it is; null for nobody's. */
  readonly accountId: AccountId | null
  readonly provider: StoreProvider
  readonly kind: PurchaseKind | null
  readonly productId: string | null
  readonly environment: StoreEnvironment | null
  readonly state: PurchaseState
  readonly startedAt: Timestamp | null
  /** When the latest period was paid. */
  readonly purchasedAt: Timestamp | null
  readonly expiresAt: Timestamp | null
  /** When it was revoked, or its money went back. */
  readonly revokedAt: Timestamp | null
  /** When this service first saw it. */
  readonly seenAt: Timestamp
}

export type PurchaseCursor = Pick<ListedPurchase, 'seenAt' | 'id'>

/** Which purchases are wanted: all that match what is not null. */
export interface WantedPurchases {
  readonly accountId: AccountId | null
  readonly provider: StoreProvider | null
  readonly state: PurchaseState | null
  /** First seen from this time on. */
  readonly since: Timestamp | null
  /** First seen before this time. */
  readonly until: Timestamp | null
  /** The last purchase of the page before. */
  readonly after: PurchaseCursor | null
  readonly limit: number
}

export interface StorePurchaseQueries {
  /** The purchases that match, those that were seen last first, at most `limit`. */
  page(wanted: WantedPurchases): Promise<readonly ListedPurchase[]>
  /** The streams'' ids of linked subscriptions from a store's sandbox, in the order of ids, at most `limit`; after `after` if given. */
  sandboxSubscriptions(limit: number, after?: string): Promise<readonly string[]>
  /**
   * The purchases that are due to be read from their stores again at an instant, longest due first, at most `limit`;
   * after `after` if it is given. A purchase is due until a reading of it is recorded.
   */
  due(now: Timestamp, limit: number, after?: DuePurchase): Promise<readonly DuePurchase[]>
}
