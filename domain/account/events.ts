import type { AccountId } from '../ids/ids.js'
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
  | { readonly type: 'SessionEnded'; readonly data: Of<{ readonly tokenHash: string }> }
  | { readonly type: 'AclsGranted'; readonly data: Of<{ readonly acls: readonly string[] }> }
  | { readonly type: 'TagChanged'; readonly data: Of<{ readonly username: string; readonly discriminator: number }> }
  | { readonly type: 'ProfileChanged'; readonly data: Of<{ readonly changes: ProfileChanges }> }
  | { readonly type: 'PasswordChanged'; readonly data: PasswordChanged }
  | { readonly type: 'EmailAddressChanged'; readonly data: EmailAddressChanged }
  | { readonly type: 'EmailAddressVerified'; readonly data: Of<object> }
  | { readonly type: 'AccountDisabled'; readonly data: Of<object> }
  | { readonly type: 'AccountEnabled'; readonly data: Of<object> }
  | { readonly type: 'SelfDeletionScheduled'; readonly data: Of<{ readonly dueAt: Timestamp }> }
  | { readonly type: 'SelfDeletionCancelled'; readonly data: Of<object> }
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
      readonly data: Of<{ readonly credentialId: string; readonly name: string }>
    }
  | { readonly type: 'WebAuthnCredentialUsed'; readonly data: WebAuthnCredentialUsed }
  | { readonly type: 'WebAuthnCredentialRemoved'; readonly data: Of<{ readonly credentialId: string }> }
  | { readonly type: 'PasskeysChosenAsSecondFactor'; readonly data: Of<{ readonly chosen: boolean }> }

/** Every event says which account it is of. */
type Of<Facts> = { readonly accountId: AccountId } & Facts

export interface AccountRegistered {
  readonly accountId: AccountId
  readonly username: string
  /** 1-9999. */
  readonly discriminator: number
  readonly globalName: string | null
  /** Personal, as are the next two: null where not given, and once the account's key is destroyed. */
  readonly email: string | null
  readonly passwordHash: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly emailVerified: boolean
  readonly locale: string
  readonly registeredAt: Timestamp
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
}

export interface PasswordChanged {
  readonly accountId: AccountId
  /** Personal. */
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
  /** 1-100 characters. */
  readonly name: string
  readonly registeredAt: Timestamp
}

export interface WebAuthnCredentialUsed {
  readonly accountId: AccountId
  readonly credentialId: string
  readonly counter: number
  readonly usedAt: Timestamp
}

export const accountEvents: EventCatalog<AccountEvent> = {
  category: 'account',
  events: {
    AccountRegistered: { version: 1, personal: ['email', 'passwordHash', 'dateOfBirth'] },
    SessionStarted: { version: 1, personal: ['ip', 'userAgent'] },
    SessionEnded: { version: 1 },
    AclsGranted: { version: 1 },
    TagChanged: { version: 1 },
    ProfileChanged: { version: 1 },
    PasswordChanged: { version: 1, personal: ['passwordHash'] },
    EmailAddressChanged: { version: 1, personal: ['email'] },
    EmailAddressVerified: { version: 1 },
    AccountDisabled: { version: 1 },
    AccountEnabled: { version: 1 },
    SelfDeletionScheduled: { version: 1 },
    SelfDeletionCancelled: { version: 1 },
    TermsAccepted: { version: 1 },
    TotpEnabled: { version: 1, personal: ['secret'] },
    TotpDisabled: { version: 1 },
    TotpStepSpent: { version: 1 },
    BackupCodesIssued: { version: 1, personal: ['codes'] },
    BackupCodesRevoked: { version: 1 },
    BackupCodeConsumed: { version: 1 },
    WebAuthnCredentialRegistered: { version: 1 },
    WebAuthnCredentialRenamed: { version: 1 },
    WebAuthnCredentialUsed: { version: 1 },
    WebAuthnCredentialRemoved: { version: 1 },
    PasskeysChosenAsSecondFactor: { version: 1 },
  },
  subjectOf: (stream) => accountId(snowflake(idOf(stream))),
}
