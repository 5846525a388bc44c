import type { Profile } from '../../../domain/account/profile.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** An account as the read model holds it. */
export interface AccountRecord {
  readonly id: AccountId
  readonly username: string
  readonly discriminator: number
  readonly profile: Profile
  /** Null for an unclaimed account, and once the account's personal data is erased. */
  readonly email: string | null
  readonly emailVerified: boolean
  readonly hasPassword: boolean
  /** Null where it is the first one. */
  readonly passwordChangedAt: Timestamp | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly locale: string
  /** The account flags registry of contract part 3, as a decimal string. */
  readonly flags: string
  readonly bot: boolean
  readonly acls: readonly string[]
  readonly registeredAt: Timestamp
  readonly termsAcceptedAt: Timestamp | null
  readonly secondFactors: HeldFactors
}

/** By what else than a password the account can prove itself. */
export interface HeldFactors {
  readonly totp: boolean
  readonly passkeys_count: number
  /** Whether a passkey is asked for when signing in with a password. */
  readonly usesPasskeys: boolean
}

export interface AccountQueries {
  find(account: AccountId): Promise<AccountRecord | undefined>
  /** The accounts that exist, in no order; at most 1000 ids. */
  findMany(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]>
  /** The account that a live session belongs to; `tokenHash` is the base64url SHA-256 of its token. */
  bySession(tokenHash: string): Promise<AccountRecord | undefined>
  /** By username, in any case, and discriminator. */
  byTag(username: string, discriminator: number): Promise<AccountRecord | undefined>
}
