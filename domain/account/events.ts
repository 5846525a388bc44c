import type { AccountId, RegistrationUrlId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import { snowflake } from '../ids/snowflake.js'
import { accountId } from '../ids/ids.js'
import { idOf } from '../kernel/streams.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ProfileChanges } from './profile.js'

/** The events of an account. Kept forever: members are added, never renamed or reused. */
export type AccountEvent =
  | { readonly type: 'AccountRegistered'; readonly data: AccountRegistered }
  | { readonly type: 'SessionStarted'; readonly data: SessionStarted }
  | { readonly type: 'SessionEnded'; readonly data: SessionEnded }
  | { readonly type: 'IpAddressAuthorized'; readonly data: IpAddressAuthorized }
  | { readonly type: 'IpAddressesForgotten'; readonly data: Of<object> }
  | { readonly type: 'AclsGranted'; readonly data: Of<{ readonly acls: readonly string[] }> }
  | { readonly type: 'AclsSet'; readonly data: Of<{ readonly acls: readonly string[] }> }
  | { readonly type: 'TagChanged'; readonly data: Of<{ readonly username: string; readonly discriminator: number }> }
  | { readonly type: 'ProfileChanged'; readonly data: ProfileChanged }
  | { readonly type: 'PasswordChanged'; readonly data: PasswordChanged }
  | { readonly type: 'EmailAddressChanged'; readonly data: EmailAddressChanged }
  | { readonly type: 'EmailAddressVerified'; readonly data: Of<object> }
  | { readonly type: 'AccountDisabled'; readonly data: Of<object> }
  | { readonly type: 'AccountEnabled'; readonly data: Of<object> }
  | { readonly type: 'SelfDeletionScheduled'; readonly data: Of<{ readonly dueAt: Timestamp }> }
  | { readonly type: 'SelfDeletionCancelled'; readonly data: Of<object> }
  | { readonly type: 'AccountErasureStarted'; readonly data: AccountErasureStarted }
  | { readonly type: 'AccountErased'; readonly data: Of<{ readonly erasedAt: Timestamp }> }
  | { readonly type: 'EmailAddressBounced'; readonly data: Of<{ readonly bouncedAt: Timestamp }> }
  | { readonly type: 'FlagsChanged'; readonly data: Of<{ readonly flags: string }> }
  | { readonly type: 'TermsAccepted'; readonly data: Of<{ readonly acceptedAt: Timestamp }> }
  | { readonly type: 'TotpEnabled'; readonly data: TotpEnabled }
  | { readonly type: 'TotpDisabled'; readonly data: Of<object> }
  | { readonly type: 'TotpStepSpent'; readonly data: Of<{ readonly step: number }> }
  | { readonly type: 'BackupCodesIssued'; readonly data: BackupCodesIssued }
  | { readonly type: 'BackupCodesRevoked'; readonly data: Of<object> }
  | { readonly type: 'BackupCodeConsumed'; readonly data: Of<{ readonly index: number }> }
  | { readonly type: 'WebAuthnCredentialRegistered'; readonly data: WebAuthnCredentialRegistered }
  | {
      readonly type: 'WebAuthnCredentialRenamed'
      /** `name` is personal. */
      readonly data: Of<{ readonly credentialId: string; readonly name: string | null }>
    }
  | { readonly type: 'WebAuthnCredentialUsed'; readonly data: WebAuthnCredentialUsed }
  | { readonly type: 'WebAuthnCredentialRemoved'; readonly data: Of<{ readonly credentialId: string }> }
  | { readonly type: 'PasskeysChosenAsSecondFactor'; readonly data: Of<{ readonly chosen: boolean }> }
  | { readonly type: 'VoiceActivitySharingChosen'; readonly data: Of<VoiceActivitySharing> }
  | { readonly type: 'RegistrationApproved'; readonly data: Of<object> }
  | { readonly type: 'RegistrationRejected'; readonly data: Of<object> }
  | { readonly type: 'RecoveryKitCreated'; readonly data: RecoveryKitCreated }
  | { readonly type: 'RecoveryKitRevoked'; readonly data: Of<object> }
  | { readonly type: 'RecoveryKitUsed'; readonly data: Of<object> }
  | { readonly type: 'SingleSignOnLinked'; readonly data: SingleSignOnLinked }

/** Whether friends see which voice channels the account is in, unless set otherwise for one friend. */
export interface VoiceActivitySharing {
  readonly shared: boolean
  readonly chosenAt: Timestamp
}

/** Every event names its account. */
type Of<Facts> = { readonly accountId: AccountId } & Facts

export interface AccountRegistered {
  readonly accountId: AccountId
  readonly username: string
  /** 1-9999; 0 where usernames alone are unique. */
  readonly discriminator: number
  /** Personal, like the next three: null if not given, and once the account's key is destroyed. */
  readonly globalName: string | null
  readonly email: string | null
  readonly passwordHash: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly emailVerified: boolean
  readonly locale: string
  readonly registeredAt: Timestamp
  /** The owner of the bot's application; absent for a person. */
  readonly botOwnerId?: AccountId
  /** Whether an operator must approve the account first; absent if not. */
  readonly awaitsApproval?: boolean
  /** The registration URL that it used; absent for none. */
  readonly registrationUrlId?: RegistrationUrlId
  /** Personal: the address of a registration that needs approval; absent for others. */
  readonly clientIp?: string | null
  /** When its holder accepted the terms, at the registration; absent if there were none. */
  readonly termsAcceptedAt?: Timestamp
}

export interface ProfileChanged {
  readonly accountId: AccountId
  /** Personal: null once the account's key is destroyed. */
  readonly changes: ProfileChanges | null
}

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
}

export interface SessionEnded {
  readonly accountId: AccountId
  readonly tokenHash: string
  /** Whether the account signed out everywhere, which closes connections; absent if one session ended. */
  readonly everywhere?: true
}

export interface IpAddressAuthorized {
  readonly accountId: AccountId
  /** Personal: the network of the address, in the form of `networkOf` for one client. */
  readonly network: string | null
  readonly authorizedAt: Timestamp
}

export interface PasswordChanged {
  readonly accountId: AccountId
  /** Personal; also null if the account no longer has a password. */
  readonly passwordHash: string | null
  readonly changedAt: Timestamp
}

export interface EmailAddressChanged {
  readonly accountId: AccountId
  /** Personal. */
  readonly email: string | null
  readonly verified: boolean
  readonly changedAt: Timestamp
  /** The time of the change that this one reverts; absent if it reverts none. */
  readonly takesBack?: Timestamp
}

/** Nobody holds the account any more. Its sessions have ended, and everything of its holder is removed until AccountErased. */
export interface AccountErasureStarted {
  readonly accountId: AccountId
  /** The tag to release. */
  readonly username: string
  /** The keyed hash of the address to release; null without one. */
  readonly addressHash: string | null
  /** The identities at OpenID providers to release. */
  readonly identityHashes: readonly string[]
  readonly startedAt: Timestamp
}

export interface TotpEnabled {
  readonly accountId: AccountId
  /** Personal: Base32, the same as in the authenticator. */
  readonly secret: string | null
  readonly enabledAt: Timestamp
}

export interface BackupCodesIssued {
  readonly accountId: AccountId
  /** Personal: as shown, `abcd-1234`. Earlier codes stay as they are. */
  readonly codes: readonly string[] | null
}

export interface WebAuthnCredentialRegistered {
  readonly accountId: AccountId
  /** base64url, as given by the authenticator. */
  readonly credentialId: string
  /** base64url of the COSE key. */
  readonly publicKey: string
  /** The signature counter; 0 if the authenticator does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Personal: 1-100 characters; null once the account's key is destroyed. */
  readonly name: string | null
  readonly registeredAt: Timestamp
}

export interface WebAuthnCredentialUsed {
  readonly accountId: AccountId
  readonly credentialId: string
  readonly counter: number
  readonly usedAt: Timestamp
}

export interface SingleSignOnLinked {
  readonly accountId: AccountId
  /** The URL of the OpenID provider. */
  readonly issuer: string
  /** A keyed hash of issuer and subject, in hex. */
  readonly identityHash: string
  readonly linkedAt: Timestamp
}

/** A new recovery kit, which replaces an earlier one. Its key sets a new password, once. */
export interface RecoveryKitCreated {
  readonly accountId: AccountId
  /** Personal: base64url SHA-256 of the recovery key. */
  readonly keyHash: string | null
  readonly createdAt: Timestamp
}

export const accountEvents: EventCatalog<AccountEvent> = {
  category: 'account',
  events: {
    AccountRegistered: { version: 1, personal: ['globalName', 'email', 'passwordHash', 'dateOfBirth', 'clientIp'] },
    SessionStarted: { version: 1, personal: ['ip', 'userAgent'] },
    SessionEnded: { version: 1 },
    IpAddressAuthorized: { version: 1, personal: ['network'] },
    IpAddressesForgotten: { version: 1 },
    AclsGranted: { version: 1 },
    AclsSet: { version: 1 },
    TagChanged: { version: 1 },
    ProfileChanged: { version: 1, personal: ['changes'] },
    PasswordChanged: { version: 1, personal: ['passwordHash'] },
    EmailAddressChanged: { version: 1, personal: ['email'] },
    EmailAddressVerified: { version: 1 },
    AccountDisabled: { version: 1 },
    AccountEnabled: { version: 1 },
    SelfDeletionScheduled: { version: 1 },
    SelfDeletionCancelled: { version: 1 },
    AccountErasureStarted: { version: 1 },
    AccountErased: { version: 1 },
    EmailAddressBounced: { version: 1 },
    FlagsChanged: { version: 1 },
    TermsAccepted: { version: 1 },
    TotpEnabled: { version: 1, personal: ['secret'] },
    TotpDisabled: { version: 1 },
    TotpStepSpent: { version: 1 },
    BackupCodesIssued: { version: 1, personal: ['codes'] },
    BackupCodesRevoked: { version: 1 },
    BackupCodeConsumed: { version: 1 },
    WebAuthnCredentialRegistered: { version: 1, personal: ['name'] },
    WebAuthnCredentialRenamed: { version: 1, personal: ['name'] },
    WebAuthnCredentialUsed: { version: 1 },
    WebAuthnCredentialRemoved: { version: 1 },
    PasskeysChosenAsSecondFactor: { version: 1 },
    VoiceActivitySharingChosen: { version: 1 },
    RegistrationApproved: { version: 1 },
    RegistrationRejected: { version: 1 },
    RecoveryKitCreated: { version: 1, personal: ['keyHash'] },
    RecoveryKitRevoked: { version: 1 },
    RecoveryKitUsed: { version: 1 },
    SingleSignOnLinked: { version: 1 },
  },
  subjectOf: (stream) => accountId(snowflake(idOf(stream))),
}
