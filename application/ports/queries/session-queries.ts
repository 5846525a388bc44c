import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** A session as the read model holds it. */
export interface SessionRecord {
  /** base64url SHA-256 of its token. */
  readonly tokenHash: string
  readonly startedAt: Timestamp
  /** The address where it began; null once the account's personal data is erased. */
  readonly ip: string | null
  readonly userAgent: string | null
}

export interface EndedSession extends SessionRecord {
  readonly endedAt: Timestamp
}

/** `ofAccount` gives this many at most, the newest: an account may have any number. */
export const listedSessions_max = 1000

/** The read model keeps this many sessions of an account that have ended: those that ended last. */
export const endedSessions_max = 1000

export interface SessionQueries {
  /** The live sessions of an account, newest first, at most `listedSessions_max`. */
  ofAccount(account: AccountId): Promise<readonly SessionRecord[]>
  /** The last `endedSessions_max` sessions of an account that have ended, newest first. None of an account that is erased. */
  endedOf(account: AccountId): Promise<readonly EndedSession[]>
  /**
   * The address where the account's newest session began, even if that session has ended. Null if it never had one, or once its
   * personal data is erased.
   */
  lastAddressOf(account: AccountId): Promise<string | null>
}
