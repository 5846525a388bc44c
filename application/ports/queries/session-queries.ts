import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { FoundAccounts, OffsetPage } from './account-search-queries.ts'

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

/** A session, and whose it is. */
export interface HeldSession extends Pick<SessionRecord, 'tokenHash' | 'startedAt'> {
  readonly accountId: AccountId
}

export interface SessionQueries {
  /** The live sessions of an account, newest first, at most `listedSessions_max`. */
  ofAccount(account: AccountId): Promise<readonly SessionRecord[]>
  /** The last `keptEndedSessions_max` sessions of an account that have ended, newest first. None of an account that is erased. */
  endedOf(account: AccountId): Promise<readonly EndedSession[]>
  /**
   * The address where each account's newest session began, even if that session has ended. An account that never had a session,
   * or whose personal data is erased, has none.
   */
  lastAddressesOf(accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>>
  /** Of each account, the sessions that were used last, whether or not they have ended; at most 200 accounts. In no order. */
  recentOf(accounts: readonly AccountId[]): Promise<readonly HeldSession[]>
  /** The accounts whose last address is this one, in exactly this form. */
  withLastAddress(ip: string, page: OffsetPage): Promise<FoundAccounts>
}
