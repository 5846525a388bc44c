import type { Profile } from '../../../domain/account/profile.ts'
import type { MessageDeletion, PendingDeletion } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { PremiumFields } from '../../../domain/premium/premium.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** An account as the read model holds it. */
export interface AccountRecord {
  readonly id: AccountId
  readonly username: string
  readonly discriminator: number
  readonly profile: Profile
  /** Null for an unclaimed account, and once the account's personal data is erased. */
  readonly email: string | null
  readonly emailVerified: boolean
  /** Whether a mail server has rejected the address permanently since it was given or verified. */
  readonly emailBounced: boolean
  /** Whether all personal data is erased; the account then looks like a deleted one. */
  readonly isErased: boolean
  readonly hasPassword: boolean
  /** Whether an identity at an OpenID provider can sign in to the account. */
  readonly hasSingleSignOn: boolean
  /** Null if the password was never changed. */
  readonly passwordChangedAt: Timestamp | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  /** The locale in its settings; until it chooses one, the locale of its registration. */
  readonly locale: string
  /** All 64 bits of the account's flags, as an unsigned decimal string. */
  readonly flags: string
  /** An unsigned 32-bit integer. */
  readonly premiumFlags: number
  /** What was paid and given; `premiumNow` says whether it counts. */
  readonly premium: PremiumFields
  /** Whether the instance treats everybody as premium. False until the account is shown. */
  readonly everyoneHasPremium: boolean
  /** Labels of the operator's, sorted. They grant nothing. */
  readonly traits: readonly string[]
  readonly bot: boolean
  readonly system: boolean
  /** The owner of the application that the account was made for; null for any other account, even if it became a bot. */
  readonly botOwnerId: AccountId | null
  readonly acls: readonly string[]
  /** When the ban ends, even if that is past; null without a ban. */
  readonly bannedUntil: Timestamp | null
  readonly deletion: PendingDeletion | null
  readonly messageDeletion: MessageDeletion | null
  readonly registeredAt: Timestamp
  readonly termsAcceptedAt: Timestamp | null
  /** Whether friends see which voice channels the account is in, unless set otherwise for one friend. */
  readonly sharesVoiceActivity: boolean
  /** When the account last chose this; null if never. */
  readonly voiceActivityChosenAt: Timestamp | null
  readonly secondFactors: HeldFactors
  /** How often all delegations have ended: see `stillSpeaks`. */
  readonly delegationVersion: number
}

/** An account as it is now. What it gave under another number is void. */
export type Delegating = Pick<AccountRecord, 'id' | 'delegationVersion'>

/** The account's means of proof besides its password; for a bot, its owner's. */
export interface HeldFactors {
  readonly totp: boolean
  readonly passkeys_count: number
  /** Whether signing in with a password also asks for a passkey. */
  readonly usesPasskeys: boolean
}

/** Gives an account as it is shown now, without the profile parts that need a premium the account does not have. */
export type ShowAccount = (account: AccountRecord) => Promise<AccountRecord>

export interface AccountQueries {
  find(account: AccountId): Promise<AccountRecord | undefined>
  /** The accounts that exist, in no order; at most 1000 ids. */
  findMany(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]>
  /** As `findMany`, with the images that the accounts have set, whether or not they are shown now. */
  findManyAsStored(accounts: readonly AccountId[]): Promise<readonly AccountRecord[]>
  /** The account of a live session; `tokenHash` is the base64url SHA-256 of its token. */
  bySession(tokenHash: string): Promise<AccountRecord | undefined>
  /** The accounts that hold the ACL `*`, the oldest first; at most 1000. Reads the whole table. */
  holdersOfAllAcls(): Promise<readonly AccountId[]>
  /** By username, case-insensitive, and discriminator. An erased account has no tag. */
  byTag(username: string, discriminator: number): Promise<AccountRecord | undefined>
}
