import type { AccountId, StorePurchaseId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { PurchaseFacts, StoreProvider } from './purchase-facts.ts'

/**
 * The events of a purchase in a store. Its secrets are personal members, sealed with a key of the purchase's own (decision 84). Kept
 * forever: members are added, never renamed or reused.
 */
export const storePurchaseEvents = {
  StorePurchaseSeen: event<StorePurchaseSeen>(
    { purchase: 'text', purchaseId: 'text', provider: 'text', storeKey: 'text or null', seenAt: 'text' },
    { personal: ['storeKey'] },
  ),
  StorePurchaseRead: event<StorePurchaseRead>(
    {
      purchaseId: 'text',
      asOf: 'text',
      readAt: 'text',
      facts: 'object',
      hashes: 'object',
      secrets: 'object or null',
    },
    { personal: ['secrets'] },
  ),
  StorePurchaseLinked: event<StorePurchaseLinked>({
    purchaseId: 'text',
    accountId: 'text',
    before: 'text or null',
    linkedAt: 'text',
  }),
  StorePurchaseReleased: event<StorePurchaseReleased>({
    purchaseId: 'text',
    accountId: 'text',
    tokenHash: 'text or null',
    releasedAt: 'text',
  }),
  StorePurchaseSuperseded: event<Of<{ readonly by: string; readonly supersededAt: Timestamp }>>({
    purchaseId: 'text',
    by: 'text',
    supersededAt: 'text',
  }),
  StorePurchaseVoided: event<Of<{ readonly orderHash: string; readonly voidedAt: Timestamp }>>({
    purchaseId: 'text',
    orderHash: 'text',
    voidedAt: 'text',
  }),
  StorePurchaseCodeMinted: event<Of<{ readonly gift: string; readonly mintedAt: Timestamp }>>({
    purchaseId: 'text',
    gift: 'text',
    mintedAt: 'text',
  }),
  StorePurchaseFulfilled: event<Of<{ readonly fulfilledAt: Timestamp }>>({ purchaseId: 'text', fulfilledAt: 'text' }),
  StorePurchaseRefunded: event<StorePurchaseRefunded>({
    purchaseId: 'text',
    reason: 'text or null',
    byService: 'flag',
    refundedAt: 'text',
  }),
  StorePurchaseSettled: event<Of<{ readonly settledAt: Timestamp }>>({ purchaseId: 'text', settledAt: 'text' }),
  StorePurchaseReversed: event<Of<{ readonly reversedAt: Timestamp }>>({ purchaseId: 'text', reversedAt: 'text' }),
}

export type StorePurchaseEvent = EventOf<typeof storePurchaseEvents>

/** Every event names its purchase: the holder of the key that seals the secrets. */
type Of<Facts> = { readonly purchaseId: StorePurchaseId } & Facts

export interface StorePurchaseSeen {
  /** The stream's id: a keyed hash of provider, environment and the store's own key, in hex. */
  readonly purchase: string
  readonly purchaseId: StorePurchaseId
  readonly provider: StoreProvider
  /** Personal: the original transaction id or the purchase token. */
  readonly storeKey: string | null
  readonly seenAt: Timestamp
}

/** The store was asked. */
export interface StorePurchaseRead {
  readonly purchaseId: StorePurchaseId
  /** When the store said so: a reading with an earlier one changes nothing. */
  readonly asOf: Timestamp
  readonly readAt: Timestamp
  /** The fields that the reading changed; all of them in the first one. */
  readonly facts: Partial<PurchaseFacts>
  /** Keyed hashes of the secrets that changed, to compare them by; all of them in the first reading. */
  readonly hashes: Partial<PurchaseHashes>
  /** Personal: those that changed; null for none. */
  readonly secrets: Partial<KeptSecrets> | null
}

/** Keyed hashes in hex, null where the store gives nothing. They tell whether two are the same, and nothing else. */
export interface PurchaseHashes {
  readonly token: string | null
  readonly latestOrder: string | null
}

/** What a later request to the store needs. */
export interface KeptSecrets {
  readonly latestTransactionId: string | null
}

export interface StorePurchaseLinked {
  readonly purchaseId: StorePurchaseId
  readonly accountId: AccountId
  /** Whose it was until now; null for nobody's. */
  readonly before: AccountId | null
  readonly linkedAt: Timestamp
}

export interface StorePurchaseReleased {
  readonly purchaseId: StorePurchaseId
  readonly accountId: AccountId
  /** The token that it carried: it never links the purchase again. */
  readonly tokenHash: string | null
  /**
   * The token of the account that had it: it no longer links the purchase either. Absent if it is the same, or if there
   * is none.
   */
  readonly ownTokenHash?: string
  readonly releasedAt: Timestamp
}

/** The money went back: by the store, or because this service asked for it. */
export interface StorePurchaseRefunded {
  readonly purchaseId: StorePurchaseId
  readonly reason: string | null
  readonly byService: boolean
  readonly refundedAt: Timestamp
}
