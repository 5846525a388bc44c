import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { GiftDuration } from '../../../domain/premium/gift-duration.ts'

/** A gift as the read model holds it. */
export interface GiftRecord {
  readonly gift: string
  /** Sealed. */
  readonly code: string
  readonly duration: GiftDuration
  readonly createdAt: Timestamp
  readonly redeemedBy: AccountId | null
  readonly redeemedAt: Timestamp | null
}

export interface GiftQueries {
  /**
   * The gifts that an account bought, newest first, at most `listedGifts_max`: neither revoked ones, nor those that were redeemed
   * before an instant.
   */
  createdBy(account: AccountId, redeemedSince: Timestamp): Promise<readonly GiftRecord[]>
}
