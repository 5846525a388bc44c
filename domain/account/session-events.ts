import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

export interface SessionStarted {
  readonly accountId: AccountId
  /** base64url SHA-256 of the token; the public id of the session. */
  readonly tokenHash: string
  readonly startedAt: Timestamp
  /** Personal. */
  readonly ip: string | null
  /** Personal: at most 512 characters of the User-Agent header. */
  readonly userAgent: string | null
  /** Whether the account had signed in before, but never from this network; otherwise absent. */
  readonly fromUnknownNetwork?: true
  /** Whether a request of another device began it, whose address and User-Agent these are not; otherwise absent. */
  readonly forOtherDevice?: true
}

export interface SessionEnded {
  readonly accountId: AccountId
  readonly tokenHash: string
  /** Of earlier versions, which closed some connections in another way. Nothing reads it. */
  readonly everywhere?: true
  /** The session that replaces this one, which begins in the same append; absent if none does. */
  readonly successor?: string
}

/** Many sessions ended at once, in one event: an append takes 1000 events. */
export interface SessionsEnded {
  readonly accountId: AccountId
  readonly tokenHashes: readonly string[]
  /** As in `SessionEnded`. */
  readonly everywhere?: true
}

/**
 * Everything that spoke for the account beside its sessions is invalid from now on: authorisations of applications with their codes
 * and tokens, tokens of the bots of its applications, Admin keys, and links to archives.
 */
export interface DelegationsEnded {
  readonly accountId: AccountId
  /** How often this has happened. Only what is given under this number is valid until the next time. */
  readonly version: number
  readonly endedAt: Timestamp
}
