import { accountEvent } from '../account/account-event.ts'
import type { AccountId, StorePurchaseId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { PurchaseKind } from '../store-purchase/purchase-facts.ts'
import type { Span } from './gift-ledger.ts'
import type { PremiumFields } from './premium.ts'

/**
 * The events of an account's premium. Each change says all fields after it, so that history shows what was granted for which
 * seconds.
 */
export const premiumEvents = {
  PurchaseLinked: accountEvent<PurchaseLinked>({
    accountId: 'text',
    purchase: 'text',
    purchaseId: 'text',
    kind: 'text',
    linkedAt: 'text',
  }),
  PurchaseUnlinked: accountEvent<Of<{ readonly purchase: string; readonly unlinkedAt: Timestamp }>>({
    accountId: 'text',
    purchase: 'text',
    unlinkedAt: 'text',
  }),
  StoreTokenMade: accountEvent<StoreTokenMade>(
    { accountId: 'text', token: 'text or null', tokenHash: 'text', madeAt: 'text' },
    { personal: ['token'] },
  ),
  // Because an administrator scheduled the account's deletion; absent purchases were over, or go on in store A.
  SubscriptionsRevoked: accountEvent<Of<{ readonly purchases: readonly string[]; readonly revokedAt: Timestamp }>>({
    accountId: 'text',
    purchases: 'list',
    revokedAt: 'text',
  }),
  GiftCodeObtained: accountEvent<Changed<{ readonly purchase: string }>>({
    accountId: 'text',
    premium: 'object',
    purchase: 'text',
  }),
  GiftCodesSeen: accountEvent<Changed<object>>({ accountId: 'text', premium: 'object' }),
  PremiumPaid: accountEvent<PremiumPaid>({
    accountId: 'text',
    premium: 'object',
    purchase: 'text',
    covers: 'list',
    paidAt: 'text',
  }),
  PremiumCut: accountEvent<PremiumCut>({
    accountId: 'text',
    premium: 'object',
    purchase: 'text',
    refunded: 'flag',
    cutAt: 'text',
  }),
  PremiumReversed: accountEvent<PremiumReversed>({
    accountId: 'text',
    premium: 'object',
    purchase: 'text',
    covers: 'list',
    reversedAt: 'text',
  }),
  PremiumEnded: accountEvent<PremiumEnded>({
    accountId: 'text',
    premium: 'object',
    cause: 'text',
    graceEndedFor: 'text or null',
    endedAt: 'text',
  }),
  GiftTimeAdded: accountEvent<GiftTimeAdded>({
    accountId: 'text',
    premium: 'object',
    gift: 'text',
    time_ms: 'number',
    addedAt: 'text',
  }),
  GiftTimeTaken: accountEvent<GiftTimeTaken>({
    accountId: 'text',
    premium: 'object',
    gift: 'text',
    time_ms: 'number',
    takenAt: 'text',
  }),
  LifetimePremiumSet: accountEvent<Changed<{ readonly gift: string | null; readonly setAt: Timestamp }>>({
    accountId: 'text',
    premium: 'object',
    gift: 'text or null',
    setAt: 'text',
  }),
}

/** Every event names its account. */
type Of<Facts> = { readonly accountId: AccountId } & Facts

/** A change of the fields, with all of them after it. */
type Changed<Facts> = Of<{ readonly premium: PremiumFields }> & Facts

export interface PurchaseLinked {
  readonly accountId: AccountId
  /** The id of the purchase's stream. */
  readonly purchase: string
  readonly purchaseId: StorePurchaseId
  readonly kind: PurchaseKind
  readonly linkedAt: Timestamp
}

/** The token that purchases of the account carry in the stores: made once, never changed. */
export interface StoreTokenMade {
  readonly accountId: AccountId
  /** Personal: a UUID in lower case. */
  readonly token: string | null
  /** A keyed hash, in hex. */
  readonly tokenHash: string
  readonly madeAt: Timestamp
}

/** A subscription pays until `premium.until`. */
export type PremiumPaid = Changed<{
  readonly purchase: string
  /** The time that it pays for beyond what was paid already; gift time waits meanwhile. */
  readonly covers: readonly Span[]
  readonly paidAt: Timestamp
}>

/** The subscription does not pay any more. */
export type PremiumCut = Changed<{
  readonly purchase: string
  /** Whether the store gave the money back: what was cut comes back if the store takes that back. */
  readonly refunded: boolean
  /** The time after the cut that other subscriptions paid for too: it stays paid. Absent for none. */
  readonly kept?: readonly Span[]
  readonly cutAt: Timestamp
}>

/** A refund was taken back after the subscription ended, or while another one pays: gift time was not used in the time it paid for. */
export type PremiumReversed = Changed<{
  readonly purchase: string
  readonly covers: readonly Span[]
  readonly reversedAt: Timestamp
}>

/**
 * All premium is over. `grace`: the holder ended the grace. `taken`: a refund took the gift that it came from. `removed`: an
 * operator took all of it, gift time too.
 */
export type PremiumEnded = Changed<{
  readonly cause: 'expired' | 'grace' | 'taken' | 'removed'
  readonly graceEndedFor: Timestamp | null
  readonly endedAt: Timestamp
}>

/** A gift's time begins to count, once paid time and the gifts before it are over. */
export type GiftTimeAdded = Changed<{
  readonly gift: string
  readonly time_ms: number
  /** Whether this is the time that a refund had taken. Absent for a redemption. */
  readonly returned?: boolean
  readonly addedAt: Timestamp
}>

/** A refund takes back what is left of a gift. */
export type GiftTimeTaken = Changed<{
  readonly gift: string
  readonly time_ms: number
  readonly takenAt: Timestamp
}>
