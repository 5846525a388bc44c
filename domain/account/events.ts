import type { AccountId, RegistrationUrlId } from '../ids/ids.ts'
import { accountEvent } from './account-event.ts'
import { erasureEvents } from './erasure-events.ts'
import type { EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { ProfileChanges } from './profile.ts'
import type { DelegationsEnded, SessionEnded, SessionsEnded, SessionStarted } from './session-events.ts'
import { premiumEvents } from '../premium/premium-events.ts'
import { standingEvents } from './standing-events.ts'

/** The events of an account. Kept forever: members are added, never renamed or reused. */
export const accountEvents = {
  AccountRegistered: accountEvent<AccountRegistered>(
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
  SessionStarted: accountEvent<SessionStarted>(
    {
      accountId: 'text',
      tokenHash: 'text',
      startedAt: 'text',
      ip: 'text or null',
      userAgent: 'text or null',
    },
    { personal: ['ip', 'userAgent'] },
  ),
  SessionEnded: accountEvent<SessionEnded>({ accountId: 'text', tokenHash: 'text' }),
  SessionsEnded: accountEvent<SessionsEnded>({ accountId: 'text', tokenHashes: 'list' }),
  DelegationsEnded: accountEvent<DelegationsEnded>({ accountId: 'text', version: 'number', endedAt: 'text' }),
  IpAddressAuthorized: accountEvent<IpAddressAuthorized>(
    { accountId: 'text', network: 'text or null', authorizedAt: 'text' },
    { personal: ['network'] },
  ),
  IpAddressesForgotten: accountEvent<Of<object>>({ accountId: 'text' }),
  AclsGranted: accountEvent<Of<{ readonly acls: readonly string[] }>>({ accountId: 'text', acls: 'list' }),
  AclsSet: accountEvent<Of<{ readonly acls: readonly string[] }>>({ accountId: 'text', acls: 'list' }),
  TagChanged: accountEvent<Of<{ readonly username: string; readonly discriminator: number }>>({
    accountId: 'text',
    username: 'text',
    discriminator: 'number',
  }),
  ProfileChanged: accountEvent<ProfileChanged>(
    { accountId: 'text', changes: 'object or null' },
    { personal: ['changes'] },
  ),
  PasswordChanged: accountEvent<PasswordChanged>(
    { accountId: 'text', passwordHash: 'text or null', changedAt: 'text' },
    { personal: ['passwordHash'] },
  ),
  PasswordHashRenewed: accountEvent<PasswordHashRenewed>(
    { accountId: 'text', passwordHash: 'text or null' },
    { personal: ['passwordHash'] },
  ),
  EmailAddressChanged: accountEvent<EmailAddressChanged>(
    { accountId: 'text', email: 'text or null', verified: 'flag', changedAt: 'text' },
    { personal: ['email'] },
  ),
  EmailAddressVerified: accountEvent<EmailAddressVerified>({ accountId: 'text' }),
  AccountDisabled: accountEvent<Of<object>>({ accountId: 'text' }),
  AccountEnabled: accountEvent<Of<object>>({ accountId: 'text' }),
  SelfDeletionScheduled: accountEvent<Of<{ readonly dueAt: Timestamp }>>({ accountId: 'text', dueAt: 'text' }),
  SelfDeletionCancelled: accountEvent<Of<object>>({ accountId: 'text' }),
  EmailAddressBounced: accountEvent<Of<{ readonly bouncedAt: Timestamp }>>({ accountId: 'text', bouncedAt: 'text' }),
  FlagsChanged: accountEvent<FlagsChanged>({ accountId: 'text', flags: 'text' }),
  TermsAccepted: accountEvent<Of<{ readonly acceptedAt: Timestamp }>>({ accountId: 'text', acceptedAt: 'text' }),
  TotpEnabled: accountEvent<TotpEnabled>(
    { accountId: 'text', secret: 'text or null', enabledAt: 'text' },
    { personal: ['secret'] },
  ),
  TotpDisabled: accountEvent<Of<object>>({ accountId: 'text' }),
  TotpStepSpent: accountEvent<Of<{ readonly step: number }>>({ accountId: 'text', step: 'number' }),
  BackupCodesIssued: accountEvent<BackupCodesIssued>(
    { accountId: 'text', codes: 'list or null' },
    { personal: ['codes'] },
  ),
  BackupCodesRevoked: accountEvent<Of<object>>({ accountId: 'text' }),
  BackupCodeConsumed: accountEvent<Of<{ readonly index: number }>>({ accountId: 'text', index: 'number' }),
  WebAuthnCredentialRegistered: accountEvent<WebAuthnCredentialRegistered>(
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
  WebAuthnCredentialRenamed: accountEvent<Of<{ readonly credentialId: string; readonly name: string | null }>>(
    { accountId: 'text', credentialId: 'text', name: 'text or null' },
    { personal: ['name'] },
  ),
  WebAuthnCredentialUsed: accountEvent<WebAuthnCredentialUsed>({
    accountId: 'text',
    credentialId: 'text',
    counter: 'number',
    usedAt: 'text',
  }),
  WebAuthnCredentialRemoved: accountEvent<Of<{ readonly credentialId: string }>>({
    accountId: 'text',
    credentialId: 'text',
  }),
  PasskeysChosenAsSecondFactor: accountEvent<Of<{ readonly chosen: boolean }>>({ accountId: 'text', chosen: 'flag' }),
  VoiceActivitySharingChosen: accountEvent<Of<VoiceActivitySharing>>({
    accountId: 'text',
    shared: 'flag',
    chosenAt: 'text',
  }),
  RegistrationApproved: accountEvent<Of<object>>({ accountId: 'text' }),
  RegistrationRejected: accountEvent<Of<object>>({ accountId: 'text' }),
  RecoveryKitCreated: accountEvent<RecoveryKitCreated>(
    { accountId: 'text', keyHash: 'text or null', createdAt: 'text' },
    { personal: ['keyHash'] },
  ),
  RecoveryKitRevoked: accountEvent<Of<object>>({ accountId: 'text' }),
  RecoveryKitUsed: accountEvent<Of<object>>({ accountId: 'text' }),
  SingleSignOnLinked: accountEvent<SingleSignOnLinked>({
    accountId: 'text',
    issuer: 'text',
    identityHash: 'text',
    linkedAt: 'text',
  }),
  SingleSignOnUnlinked: accountEvent<SingleSignOnUnlinked>({
    accountId: 'text',
    issuer: 'text',
    identityHash: 'text',
    unlinkedAt: 'text',
    othersStay: 'flag',
  }),
  ...erasureEvents,
  ...standingEvents,
  ...premiumEvents,
}

export type AccountEvent = EventOf<typeof accountEvents>

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
  /** 0-9999; 0 if it was chosen, or where usernames alone are unique. */
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

export interface FlagsChanged {
  readonly accountId: AccountId
  /** All 64 bits. */
  readonly flags: string
  /** The flags before; absent in events of earlier versions. */
  readonly before?: string
}

export interface ProfileChanged {
  readonly accountId: AccountId
  /** Personal: null once the account's key is destroyed. */
  readonly changes: ProfileChanges | null
  /** Whether the display name or the avatar changed, which guilds show of their members; otherwise absent. */
  readonly shownInGuilds?: true
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

/** The same password as before, hashed in its prepared form. Sessions and other proofs stay as they are. */
export interface PasswordHashRenewed {
  readonly accountId: AccountId
  /** Personal: null once the account's key is destroyed. */
  readonly passwordHash: string | null
}

export interface EmailAddressChanged {
  readonly accountId: AccountId
  /** Personal. */
  readonly email: string | null
  readonly verified: boolean
  readonly changedAt: Timestamp
  /** The time of the change that this one reverts; absent if it reverts none. */
  readonly takesBack?: Timestamp
  /** Whether an administrator changed the address, which says nothing about bounces; otherwise absent. */
  readonly keepsBounce?: true
}

export interface EmailAddressVerified {
  readonly accountId: AccountId
  /**
   * True if the account changed hands by this: its earlier holder can no longer revert any change. Otherwise absent.
   */
  readonly adopts?: true
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

/** The identity does not sign in to the account any more. Its claim is released next. */
export interface SingleSignOnUnlinked {
  readonly accountId: AccountId
  readonly issuer: string
  readonly identityHash: string
  readonly unlinkedAt: Timestamp
  /** Whether identities at other providers still sign in. */
  readonly othersStay: boolean
}

/** A new recovery kit, which replaces an earlier one. Its key sets a new password, once. */
export interface RecoveryKitCreated {
  readonly accountId: AccountId
  /** Personal: base64url SHA-256 of the recovery key. */
  readonly keyHash: string | null
  readonly createdAt: Timestamp
}
