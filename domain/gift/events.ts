import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { DurationUnit } from '../premium/gift-duration.ts'

/** The events of a gift code. Kept forever: members are added, never renamed or reused. */
export const giftEvents = {
  GiftMinted: event<GiftMinted>({
    gift: 'text',
    code: 'text',
    unit: 'text',
    quantity: 'number',
    createdBy: 'text or null',
    purchase: 'text or null',
    mintedAt: 'text',
  }),
  GiftRedemptionBegan: event<GiftRedemptionBegan>({ gift: 'text', accountId: 'text', beganAt: 'text' }),
  GiftRedeemed: event<GiftRedeemed>({ gift: 'text', accountId: 'text', redeemedAt: 'text' }),
  GiftRedemptionUndone: event<Of<object>>({ gift: 'text' }),
  GiftRevoked: event<GiftRevoked>({ gift: 'text', accountId: 'text or null', revokedAt: 'text' }),
  GiftTimeTakenBack: event<Of<{ readonly time_ms: number }>>({ gift: 'text', time_ms: 'number' }),
  GiftReinstated: event<GiftReinstated>({ gift: 'text', accountId: 'text or null', reinstatedAt: 'text' }),
  GiftTimeReturned: event<Of<{ readonly time_ms: number }>>({ gift: 'text', time_ms: 'number' }),
}

export type GiftEvent = EventOf<typeof giftEvents>

/** Every event names its gift: a keyed hash of the code, in hex. */
type Of<Facts> = { readonly gift: string } & Facts

export type GiftMinted = Of<{
  /** Sealed with a key of the instance, as base64: whoever knows a code may redeem it. */
  readonly code: string
  readonly unit: DurationUnit
  /** 0 is a lifetime. */
  readonly quantity: number
  /** Who bought it; null for the system. */
  readonly createdBy: AccountId | null
  /** The id of the purchase's stream; null if nobody paid. */
  readonly purchase: string | null
  readonly mintedAt: Timestamp
}>

/** The code is the account's; its time is about to be added. */
export type GiftRedemptionBegan = Of<{ readonly accountId: AccountId; readonly beganAt: Timestamp }>

/** The account has the time. */
export type GiftRedeemed = Of<{ readonly accountId: AccountId; readonly redeemedAt: Timestamp }>

/** The purchase was refunded. Where the gift was redeemed, its time is about to be taken back. */
export type GiftRevoked = Of<{ readonly accountId: AccountId | null; readonly revokedAt: Timestamp }>

/** The refund was reversed: the code is valid again, and taken time is about to be given back. */
export type GiftReinstated = Of<{ readonly accountId: AccountId | null; readonly reinstatedAt: Timestamp }>
