import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Premium } from '../premium/premium.ts'
import type { VoiceActivitySharing } from './events.ts'
import type { Profile } from './profile.ts'

export type AccountState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'registered' } & Account)
  /** Nobody holds the account any more. The state keeps nothing of its holder. */
  | { readonly status: 'erasing'; readonly id: AccountId }
  /** `messagesAnonymised`: its messages have another author; also true for such an author, whom nobody ever held. */
  | { readonly status: 'erased'; readonly id: AccountId; readonly messagesAnonymised: boolean }

export interface Account {
  readonly id: AccountId
  readonly username: string
  readonly discriminator: number
  readonly profile: Profile
  readonly email: string | null
  readonly emailVerified: boolean
  /** Whether a mail server has rejected the address permanently since it was given or verified. */
  readonly emailBounced: boolean
  /** How often the address has changed, by a revert too. */
  readonly addressChanges: number
  /** The changes of the address that can still be reverted, oldest first: a revert removes its change and all later ones. */
  readonly standingChanges: readonly AddressChange[]
  readonly passwordHash: string | null
  readonly dateOfBirth: string | null
  readonly locale: string
  readonly acls: readonly string[]
  /** How often the account gained an Admin ACL that it did not have. A reset link made under another number is invalid. */
  readonly aclGains: number
  /** All 64 bits, as an unsigned decimal string. The life cycle sets and clears its own; administrators set any. */
  readonly flags: string
  /** An unsigned 32-bit integer. The display options of the badge are in the profile too. */
  readonly premiumFlags: number
  readonly premium: Premium
  /** Labels of the operator's, sorted, each once. They grant nothing. */
  readonly traits: readonly string[]
  readonly bot: boolean
  /** Only a bot can be a system account. */
  readonly system: boolean
  /** The owner of the application that the account was made for; null for any other account, even if it became a bot. */
  readonly botOwnerId: AccountId | null
  readonly registeredAt: Timestamp
  readonly admission: AccountAdmission
  readonly termsAcceptedAt: Timestamp | null
  /** Hashes of the tokens of live sessions. */
  readonly sessions: readonly string[]
  /** The networks that need no mail to sign in without a second factor, newest last. */
  readonly authorizedNetworks: readonly string[]
  /** The networks of past sessions, newest last; null before the first session. */
  readonly signInNetworks: readonly string[] | null
  /** The latest session; null before the first. */
  readonly latestSignIn: { readonly tokenHash: string; readonly fromUnknownNetwork: boolean } | null
  /** When the ban ends, even if that is past; null without a ban. */
  readonly bannedUntil: Timestamp | null
  /** Null if no deletion is pending. */
  readonly deletion: PendingDeletion | null
  /** The deletion of all own messages that the holder scheduled; null for none. */
  readonly messageDeletion: MessageDeletion | null
  readonly secondFactors: SecondFactors
  /** The recovery kit, for a forgotten password; null for none. */
  readonly recoveryKit: RecoveryKit | null
  /** The number of changes to the account's credentials. A proof made under another number is invalid. */
  readonly credentialVersion: number
  /** How often all delegations have ended. What was given under another number no longer speaks for the account. */
  readonly delegationVersion: number
  /** Null if the holder has not chosen; then nothing is shared. */
  readonly voiceActivitySharing: VoiceActivitySharing | null
  /** At most one per issuer. */
  readonly singleSignOn: readonly HeldSingleSignOn[]
}

/** A change of the address. Its time is its name, in tokens and in events; only the number says which change came first. */
export interface AddressChange {
  readonly number: number
  readonly at: Timestamp
  /**
   * The address before it, which gets a token that reverts the change. Null for an unverified one, which may be a stranger's, and for
   * a change by an administrator.
   */
  readonly tells: string | null
}

/** For how long a change of the address can be reverted. */
export const revert_s = 24 * 3600
/** More than are made meanwhile. Beyond it the oldest stay, which are those of an earlier holder. */
export const standingChanges_max = 1000

export interface PendingDeletion {
  readonly dueAt: Timestamp
  /** Of the deletion reason registry; null once the account's key is destroyed. */
  readonly reasonCode: number | null
  /** For the holder; null for none. */
  readonly publicReason: string | null
  /** For administrators; null for none. */
  readonly auditLogReason: string | null
  /** The administrator; null if the holder scheduled it, who cancels it by signing in. */
  readonly scheduledBy: AccountId | null
  /** Null if the holder scheduled it. */
  readonly scheduledAt: Timestamp | null
}

export interface MessageDeletion {
  readonly dueAt: Timestamp
  /** As counted when it was scheduled. */
  readonly channelCount: number
  readonly messageCount: number
}

/** An identity at an OpenID provider that signs in to the account. */
export interface SingleSignOnLink {
  /** The URL of the provider. */
  readonly issuer: string
  /** A keyed hash of issuer and subject, in hex. */
  readonly identityHash: string
}

export interface HeldSingleSignOn extends SingleSignOnLink {
  /** The account's `addressChanges` when the identity was linked. */
  readonly addressChanges: number
}

/** Whether an operator has approved the account, if approval is needed. */
export type AccountAdmission = 'admitted' | 'pending' | 'rejected'

export interface RecoveryKit {
  /** base64url SHA-256 of the recovery key; null once the account's key is destroyed. */
  readonly keyHash: string | null
  readonly createdAt: Timestamp
}

export interface SecondFactors {
  /** Base32; null without TOTP, and once the account's key is destroyed. */
  readonly totpSecret: string | null
  /** The latest 30 s steps whose code was accepted: none of them works again. */
  readonly spentTotpSteps: readonly number[]
  /** As shown, in their order. */
  readonly backupCodes: readonly BackupCode[]
  readonly webAuthnCredentials: readonly WebAuthnCredential[]
  /** Whether signing in with a password also asks for a passkey. Sudo mode accepts passkeys either way. */
  readonly usesPasskeys: boolean
}

export interface BackupCode {
  readonly code: string
  readonly consumed: boolean
}

export interface WebAuthnCredential {
  /** base64url. */
  readonly id: string
  /** base64url of the COSE key. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly registeredAt: Timestamp
  readonly lastUsedAt: Timestamp | null
}

/** How many credentials an account may have. */
export const webAuthnCredentials_max = 10

/** How many codes are issued at once. */
export const backupCodes_count = 10

export const noSecondFactors: SecondFactors = {
  totpSecret: null,
  spentTotpSteps: [],
  backupCodes: [],
  webAuthnCredentials: [],
  usesPasskeys: false,
}

/** The factors asked for after the password, in the order of the MFA challenge. */
export function signInFactors({
  totpSecret,
  usesPasskeys,
  webAuthnCredentials,
}: SecondFactors): readonly ('totp' | 'webauthn')[] {
  const passkeys = usesPasskeys && webAuthnCredentials.length > 0
  return [...(totpSecret === null ? [] : ['totp' as const]), ...(passkeys ? ['webauthn' as const] : [])]
}

/** Whether the account has a proof besides its password: TOTP or a passkey. */
export function hasSecondFactor({ totpSecret, webAuthnCredentials }: SecondFactors): boolean {
  return totpSecret !== null || webAuthnCredentials.length > 0
}

/** Whether somebody can sign in to the account: it has a password, or an identity at a provider. */
export function isClaimedAccount({ passwordHash, singleSignOn }: Account): boolean {
  return passwordHash !== null || singleSignOn.length > 0
}

/** The change of the address that was made at an instant; undefined if there was none, or if it is reverted. */
export function standingChange(
  { standingChanges }: Pick<Account, 'standingChanges'>,
  changedAt: Timestamp,
): AddressChange | undefined {
  return standingChanges.find(({ at }) => at === changedAt)
}
