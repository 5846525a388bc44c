import type { AccountId, RegistrationUrlId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import { snowflake } from '../ids/snowflake.js'
import { accountId } from '../ids/ids.js'
import { idOf } from '../kernel/streams.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ProfileChanges } from './profile.js'

/** What can happen to an account. Kept forever: members are added, never renamed or reused. */
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

/** Whether friends see in which voice channels the account is, unless otherwise said to one of them. */
export interface VoiceActivitySharing {
  readonly shared: boolean
  readonly chosenAt: Timestamp
}

/** Every event says which account it is of. */
type Of<Facts> = { readonly accountId: AccountId } & Facts

export interface AccountRegistered {
  readonly accountId: AccountId
  readonly username: string
  /** 1-9999; 0 where usernames are unique alone. */
  readonly discriminator: number
  /** Personal, as are the next three: null where not given, and once the account's key is destroyed. */
  readonly globalName: string | null
  readonly email: string | null
  readonly passwordHash: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly emailVerified: boolean
  readonly locale: string
  readonly registeredAt: Timestamp
  /** Whose application it is the bot of; absent for a person. */
  readonly botOwnerId?: AccountId
  /** Whether the account waits until an operator lets it in; absent where it does not. */
  readonly awaitsApproval?: boolean
  /** The registration URL that it came by; absent without one. */
  readonly registrationUrlId?: RegistrationUrlId
  /** Personal: where an account that awaits approval was registered from; absent for others. */
  readonly clientIp?: string | null
  /** When its holder agreed to the terms, which is when it was registered; absent where there were none. */
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
  /** Whether the account had signed in before, and never from this network; absent where it did, or never signed in. */
  readonly fromUnknownNetwork?: true
}

export interface SessionEnded {
  readonly accountId: AccountId
  readonly tokenHash: string
  /** Whether the account signed out everywhere, which closes connections; absent where one session ended. */
  readonly everywhere?: true
}

export interface IpAddressAuthorized {
  readonly accountId: AccountId
  /** Personal: the network of the address, as `networkOf` writes it for one client. */
  readonly network: string | null
  readonly authorizedAt: Timestamp
}

export interface PasswordChanged {
  readonly accountId: AccountId
  /** Personal: null also where the account has none any more. */
  readonly passwordHash: string | null
  readonly changedAt: Timestamp
}

export interface EmailAddressChanged {
  readonly accountId: AccountId
  /** Personal. */
  readonly email: string | null
  readonly verified: boolean
  readonly changedAt: Timestamp
  /** When the change was made that this one takes back; absent where it takes none back. */
  readonly takesBack?: Timestamp
}

/** The account is nobody's any more: its sessions have ended, and all that was its holder's goes, until AccountErased. */
export interface AccountErasureStarted {
  readonly accountId: AccountId
  /** The tag that is to be released. */
  readonly username: string
  /** The keyed hash of the address that is to be released; null without one. */
  readonly addressHash: string | null
  /** The identities at OpenID providers that are to be released. */
  readonly identityHashes: readonly string[]
  readonly startedAt: Timestamp
}

export interface TotpEnabled {
  readonly accountId: AccountId
  /** Personal: Base32, as the authenticator knows it. */
  readonly secret: string | null
  readonly enabledAt: Timestamp
}

export interface BackupCodesIssued {
  readonly accountId: AccountId
  /** Personal: as they are shown, `abcd-1234`. Earlier ones stay as they are. */
  readonly codes: readonly string[] | null
}

export interface WebAuthnCredentialRegistered {
  readonly accountId: AccountId
  /** base64url, as the authenticator gave it. */
  readonly credentialId: string
  /** base64url of the COSE key. */
  readonly publicKey: string
  /** The signature counter, 0 where the authenticator counts nothing. */
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
  /** A keyed hash of issuer and subject, as hex. */
  readonly identityHash: string
  readonly linkedAt: Timestamp
}

/** The key in a drawer, in place of an earlier one: it gives the account a new password, once. */
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
