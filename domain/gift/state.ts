import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { GiftDuration } from '../premium/gift-duration.ts'

export type GiftState = { readonly status: 'absent' } | ({ readonly status: 'minted' } & Gift)

export interface Gift {
  readonly gift: string
  /** Sealed. */
  readonly code: string
  readonly duration: GiftDuration
  readonly createdBy: AccountId | null
  readonly purchase: string | null
  readonly mintedAt: Timestamp
  readonly revoked: boolean
  /** Who redeems or redeemed it, and since when; null for nobody. */
  readonly redemption: { readonly accountId: AccountId; readonly at: Timestamp } | null
  /** Whether a refund came, or went, while the redemption was not finished. */
  readonly refundedMeanwhile: boolean
  /** What the account of the redemption still has to be told; null for nothing. */
  readonly pending: 'redeem' | 'take' | 'return' | null
}
