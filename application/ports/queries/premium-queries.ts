import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** Premium that is over but not cleared yet. */
export interface OverPremium {
  readonly accountId: AccountId
  readonly overAt: Timestamp
}

export interface PremiumQueries {
  /** Premium that was over before an instant, oldest first, at most `limit`, after `after`. Without bots and ENABLED_OVERRIDE. */
  over(now: Timestamp, limit: number, after?: OverPremium): Promise<readonly OverPremium[]>
  /** The account whose purchases carry the token of this hash. */
  byStoreToken(tokenHash: string): Promise<AccountId | undefined>
}
