import type { AccountId, RegistrationUrlId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { ProfileChanges } from './profile.js'

/** What can happen to an account. Kept forever: members are added, never renamed or reused. */
export const accountEvents = {
  AccountRegistered: event<AccountRegistered>(
    {
      accountId: 'text',
      username: 'text',
      discriminator: 'number',
      globalName: 'text or null',
      email: 'text or null',
      passwordHash: 'text or null',
      dateOfBirth: 'text or null',
      emailVerified: 'flag',
      locale: 'text',
      registeredAt: 'text',
    },
    { personal: ['globalName', 'email', 'passwordHash', 'dateOfBirth', 'clientIp'] },
  ),
  SessionStarted: event<SessionStarted>(
    {
      accountId: 'text',
      tokenHash: 'text',
      startedAt: 'text',
      ip: 'text or null',
      userAgent: 'text or null',
    },
    { personal: ['ip', 'userAgent'] },
  ),
  SessionEnded: event<SessionEnded>({ accountId: 'text', tokenHash: 'text' }),
  IpAddressAuthorized: event<IpAddressAuthorized>(
    { accountId: 'text', network: 'text or null', authorizedAt: 'text' },
    { personal: ['network'] },
  ),
  IpAddressesForgotten: event<Of<object>>({ accountId: 'text' }),
  AclsGranted: event<Of<{ readonly acls: readonly string[] }>>({ accountId: 'text', acls: 'list' }),
  AclsSet: event<Of<{ readonly acls: readonly string[] }>>({ accountId: 'text', acls: 'list' }),
  TagChanged: event<Of<{ readonly username: string; readonly discriminator: number }>>({
    accountId: 'text',
    username: 'text',
    discriminator: 'number',
  }),
  ProfileChanged: event<ProfileChanged>({ accountId: 'text', changes: 'object or null' }, { personal: ['changes'] }),
  PasswordChanged: event<PasswordChanged>(
    { accountId: 'text', passwordHash: 'text or null', changedAt: 'text' },
    { personal: ['passwordHash'] },
  ),
  EmailAddressChanged: event<EmailAddressChanged>(
    { accountId: 'text', email: 'text or null', verified: 'flag', changedAt: 'text' },
    { personal: ['email'] },
  ),
  EmailAddressVerified: event<Of<object>>({ accountId: 'text' }),
  AccountDisabled: event<Of<object>>({ accountId: 'text' }),
  AccountEnabled: event<Of<object>>({ accountId: 'text' }),
  SelfDeletionScheduled: event<Of<{ readonly dueAt: Timestamp }>>({ accountId: 'text', dueAt: 'text' }),
  SelfDeletionCancelled: event<Of<object>>({ accountId: 'text' }),
  AccountErasureStarted: event<AccountErasureStarted>({
    accountId: 'text',
    username: 'text',
    addressHash: 'text or null',
    identityHashes: 'list',
    startedAt: 'text',
  }),
  AccountErased: event<Of<{ readonly erasedAt: Timestamp }>>({ accountId: 'text', erasedAt: 'text' }),
  EmailAddressBounced: event<Of<{ readonly bouncedAt: Timestamp }>>({ accountId: 'text', bouncedAt: 'text' }),
  FlagsChanged: event<Of<{ readonly flags: string }>>({ accountId: 'text', flags: 'text' }),
  TermsAccepted: event<Of<{ readonly acceptedAt: Timestamp }>>({ accountId: 'text', acceptedAt: 'text' }),
  TotpEnabled: event<TotpEnabled>(
    { accountId: 'text', secret: 'text or null', enabledAt: 'text' },
    { personal: ['secret'] },
  ),
  TotpDisabled: event<Of<object>>({ accountId: 'text' }),
  TotpStepSpent: event<Of<{ readonly step: number }>>({ accountId: 'text', step: 'number' }),
  BackupCodesIssued: event<BackupCodesIssued>({ accountId: 'text', codes: 'list or null' }, { personal: ['codes'] }),
  BackupCodesRevoked: event<Of<object>>({ accountId: 'text' }),
  BackupCodeConsumed: event<Of<{ readonly index: number }>>({ accountId: 'text', index: 'number' }),
  WebAuthnCredentialRegistered: event<WebAuthnCredentialRegistered>(
    {
      accountId: 'text',
      credentialId: 'text',
      publicKey: 'text',
      counter: 'number',
      transports: 'list',
      name: 'text or null',
      registeredAt: 'text',
    },
    { personal: ['name'] },
  ),
  WebAuthnCredentialRenamed: event<Of<{ readonly credentialId: string; readonly name: string | null }>>(
    { accountId: 'text', credentialId: 'text', name: 'text or null' },
    { personal: ['name'] },
  ),
  WebAuthnCredentialUsed: event<WebAuthnCredentialUsed>({
    accountId: 'text',
    credentialId: 'text',
    counter: 'number',
    usedAt: 'text',
  }),
  WebAuthnCredentialRemoved: event<Of<{ readonly credentialId: string }>>({ accountId: 'text', credentialId: 'text' }),
  PasskeysChosenAsSecondFactor: event<Of<{ readonly chosen: boolean }>>({ accountId: 'text', chosen: 'flag' }),
  VoiceActivitySharingChosen: event<Of<VoiceActivitySharing>>({ accountId: 'text', shared: 'flag', chosenAt: 'text' }),
  RegistrationApproved: event<Of<object>>({ accountId: 'text' }),
  RegistrationRejected: event<Of<object>>({ accountId: 'text' }),
  RecoveryKitCreated: event<RecoveryKitCreated>(
    { accountId: 'text', keyHash: 'text or null', createdAt: 'text' },
    { personal: ['keyHash'] },
  ),
  RecoveryKitRevoked: event<Of<object>>({ accountId: 'text' }),
  RecoveryKitUsed: event<Of<object>>({ accountId: 'text' }),
  SingleSignOnLinked: event<SingleSignOnLinked>({
    accountId: 'text',
    issuer: 'text',
    identityHash: 'text',
    linkedAt: 'text',
  }),
}

export type AccountEvent = EventOf<typeof accountEvents>

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
