import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { VoiceActivitySharing } from './events.js'
import type { Profile } from './profile.js'

export type AccountState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'registered' } & Account)
  /** Nobody's any more: nothing of its holder is known here. */
  | { readonly status: 'erasing' | 'erased'; readonly id: AccountId }

export interface Account {
  readonly id: AccountId
  readonly username: string
  readonly discriminator: number
  readonly profile: Profile
  readonly email: string | null
  readonly emailVerified: boolean
  /** Whether a mail server has refused the address for good since it was given or verified. */
  readonly emailBounced: boolean
  /** The latest change of the address that took another one back; null without one. */
  readonly latestRevert: { readonly takesBack: Timestamp; readonly at: Timestamp } | null
  readonly passwordHash: string | null
  readonly dateOfBirth: string | null
  readonly locale: string
  readonly acls: readonly string[]
  /** The flags that were given to it, as a decimal string; what follows from the rest of the state is not among them. */
  readonly flags: string
  /** Whose application it is the bot of; null for a person. */
  readonly botOwnerId: AccountId | null
  readonly registeredAt: Timestamp
  readonly admission: AccountAdmission
  readonly termsAcceptedAt: Timestamp | null
  /** Hashes of the tokens of live sessions. */
  readonly sessions: readonly string[]
  /** The networks that a sign-in without a second factor takes no mail from, the newest last. */
  readonly authorizedNetworks: readonly string[]
  /** The networks that sessions began from, the newest last; null before the first session. */
  readonly signInNetworks: readonly string[] | null
  /** The session that began last; null before the first. */
  readonly latestSignIn: { readonly tokenHash: string; readonly fromUnknownNetwork: boolean } | null
  /** Whether its holder has disabled it; signing in enables it again. */
  readonly isDisabled: boolean
  /** When it is to be deleted, by its holder's own wish; signing in before cancels that. */
  readonly selfDeletionDueAt: Timestamp | null
  readonly secondFactors: SecondFactors
  /** What its holder has put by for the day on which the password is forgotten; null without it. */
  readonly recoveryKit: RecoveryKit | null
  /**
   * How often what the account proves itself by was changed: a proof that was made under another number is worth nothing any
   * more (abuse matrix, A6).
   */
  readonly credentialVersion: number
  /** Null where its holder has not chosen, which shares nothing. */
  readonly voiceActivitySharing: VoiceActivitySharing | null
  /** At most one an issuer. */
  readonly singleSignOn: readonly SingleSignOnLink[]
}

/** An identity at an OpenID provider that signs in to the account. */
export interface SingleSignOnLink {
  /** The URL of the provider. */
  readonly issuer: string
  /** A keyed hash of issuer and subject, as hex. */
  readonly identityHash: string
}

/** Whether an operator has let the account in, where one is asked. */
export type AccountAdmission = 'admitted' | 'pending' | 'rejected'

export interface RecoveryKit {
  /** base64url SHA-256 of the recovery key; null once the account's key is destroyed. */
  readonly keyHash: string | null
  readonly createdAt: Timestamp
}

export interface SecondFactors {
  /** Base32; null without TOTP, and once the account's key is destroyed. */
  readonly totpSecret: string | null
  /** The newest of the 30 s steps whose code was accepted: none of them serves again. */
  readonly spentTotpSteps: readonly number[]
  /** As they were shown, in their order. */
  readonly backupCodes: readonly BackupCode[]
  readonly webAuthnCredentials: readonly WebAuthnCredential[]
  /** Whether a passkey is asked for when signing in with a password. It counts for sudo mode either way. */
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

/** How many credentials an account may have (reference identity 5.3). */
export const webAuthnCredentials_max = 10

/** How many codes are issued at once (reference identity 5.5). */
export const backupCodes_count = 10

export const noSecondFactors: SecondFactors = {
  totpSecret: null,
  spentTotpSteps: [],
  backupCodes: [],
  webAuthnCredentials: [],
  usesPasskeys: false,
}

/** What the account is asked for after its password, in the order of the MFA challenge (reference identity 4.1). */
export function signInFactors({
  totpSecret,
  usesPasskeys,
  webAuthnCredentials,
}: SecondFactors): readonly ('totp' | 'webauthn')[] {
  const passkeys = usesPasskeys && webAuthnCredentials.length > 0
  return [...(totpSecret === null ? [] : ['totp' as const]), ...(passkeys ? ['webauthn' as const] : [])]
}

/** Whether the account can prove itself by more than its password: by TOTP or by any passkey (contract part 1, Sudo mode). */
export function hasSecondFactor({ totpSecret, webAuthnCredentials }: SecondFactors): boolean {
  return totpSecret !== null || webAuthnCredentials.length > 0
}

/** Whether somebody can sign in to the account: it has a password, or an identity at a provider (reference identity 6.2). */
export function isClaimedAccount({ passwordHash, singleSignOn }: Account): boolean {
  return passwordHash !== null || singleSignOn.length > 0
}
