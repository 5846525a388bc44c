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
  /** Whether a mail server has refused the address for good since it was given or verified. */
  readonly emailBounced: boolean
  /** Whether nothing of its holder is left: it looks like a deleted account then (reference identity 9.1). */
  readonly isErased: boolean
  readonly hasPassword: boolean
  /** Whether an identity at an OpenID provider signs in to it. */
  readonly hasSingleSignOn: boolean
  /** Null where it is the first one. */
  readonly passwordChangedAt: Timestamp | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  /** As its settings have it; until it chooses one, that of its registration. */
  readonly locale: string
  /** The account flags registry of contract part 3, as a decimal string. */
  readonly flags: string
  readonly bot: boolean
  /** Whose application it is the bot of; null for a person. */
  readonly botOwnerId: AccountId | null
  readonly acls: readonly string[]
  readonly registeredAt: Timestamp
  readonly termsAcceptedAt: Timestamp | null
  /** Whether friends see in which voice channels the account is, unless otherwise said to one of them. */
  readonly sharesVoiceActivity: boolean
  /** When it last chose so; null where it has not. */
  readonly voiceActivityChosenAt: Timestamp | null
  readonly secondFactors: HeldFactors
}

/** By what else than a password the account can prove itself; for a bot, what its owner can. */
export interface HeldFactors {
  readonly totp: boolean
  readonly passkeys_count: number
  /** Whether a passkey is asked for when signing in with a password. */
  readonly usesPasskeys: boolean
}

/** Gives an account as it is shown now: what of its profile takes more than it has is not there (reference identity 9.1, 9.2). */
export type ShowAccount = (account: AccountRecord) => Promise<AccountRecord>

export interface AccountQueries {
  find(account: AccountId): Promise<AccountRecord | undefined>
  /** The accounts that exist, in no order; at most 1000 ids. */
  findMany(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]>
  /** The account that a live session belongs to; `tokenHash` is the base64url SHA-256 of its token. */
  bySession(tokenHash: string): Promise<AccountRecord | undefined>
  /** By username, in any case, and discriminator. An erased account has no tag. */
  byTag(username: string, discriminator: number): Promise<AccountRecord | undefined>
}
