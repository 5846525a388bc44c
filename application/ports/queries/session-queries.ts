import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** A live session as the read model holds it. */
export interface SessionRecord {
  /** base64url SHA-256 of its token. */
  readonly tokenHash: string
  readonly startedAt: Timestamp
  /** The address where it began; null once the account's personal data is erased. */
  readonly ip: string | null
  readonly userAgent: string | null
}

/** `ofAccount` gives this many at most, the newest: an account may have any number. */
export const listedSessions_max = 1000

export interface SessionQueries {
  /** The live sessions of an account, newest first, at most `listedSessions_max`. */
  ofAccount(account: AccountId): Promise<readonly SessionRecord[]>
  /**
   * The address where the account's newest session began, even if that session has ended. Null if it never had one, or once its
   * personal data is erased.
   */
  lastAddressOf(account: AccountId): Promise<string | null>
}
