import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** A live session as the read model holds it. */
export interface SessionRecord {
  /** base64url SHA-256 of its token. */
  readonly tokenHash: string
  readonly startedAt: Timestamp
  /** Where it began; null once the account's personal data is erased. */
  readonly ip: string | null
  readonly userAgent: string | null
}

/** The newest that `ofAccount` gives: an account may have any number. */
export const listedSessions_max = 1000

export interface SessionQueries {
  /** The live sessions of an account, newest first, at most `listedSessions_max`. */
  ofAccount(account: AccountId): Promise<readonly SessionRecord[]>
  /**
   * Where the account's newest session began, also one that has ended; null where it never had one, and once its personal data is
   * erased.
   */
  lastAddressOf(account: AccountId): Promise<string | null>
}
