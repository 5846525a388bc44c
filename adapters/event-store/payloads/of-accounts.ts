import type { AccountEvent } from '../../../domain/account/events.js'
import type { EmailAddressEvent } from '../../../domain/email-address/events.js'
import type { HandleEvent } from '../../../domain/handle/events.js'
import type { RelationshipEvent } from '../../../domain/relationship/events.js'
import type { RegistrationUrlEvent } from '../../../domain/registration-url/events.js'
import type { SingleSignOnIdentityEvent } from '../../../domain/single-sign-on-identity/events.js'
import type { UserGuildSettingsEvent } from '../../../domain/user-guild-settings/events.js'
import type { UserSettingsEvent } from '../../../domain/user-settings/events.js'
import type { MembersOf } from './member-kinds.js'

export const account: MembersOf<AccountEvent> = {
  AccountRegistered: {
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
  SessionStarted: {
    accountId: 'text',
    tokenHash: 'text',
    startedAt: 'text',
    ip: 'text or null',
    userAgent: 'text or null',
  },
  SessionEnded: { accountId: 'text', tokenHash: 'text' },
  IpAddressAuthorized: { accountId: 'text', network: 'text or null', authorizedAt: 'text' },
  IpAddressesForgotten: { accountId: 'text' },
  AclsGranted: { accountId: 'text', acls: 'list' },
  AclsSet: { accountId: 'text', acls: 'list' },
  TagChanged: { accountId: 'text', username: 'text', discriminator: 'number' },
  ProfileChanged: { accountId: 'text', changes: 'object or null' },
  PasswordChanged: { accountId: 'text', passwordHash: 'text or null', changedAt: 'text' },
  EmailAddressChanged: { accountId: 'text', email: 'text or null', verified: 'flag', changedAt: 'text' },
  EmailAddressVerified: { accountId: 'text' },
  AccountDisabled: { accountId: 'text' },
  AccountEnabled: { accountId: 'text' },
  SelfDeletionScheduled: { accountId: 'text', dueAt: 'text' },
  SelfDeletionCancelled: { accountId: 'text' },
  AccountErasureStarted: {
    accountId: 'text',
    username: 'text',
    addressHash: 'text or null',
    identityHashes: 'list',
    startedAt: 'text',
  },
  AccountErased: { accountId: 'text', erasedAt: 'text' },
  EmailAddressBounced: { accountId: 'text', bouncedAt: 'text' },
  FlagsChanged: { accountId: 'text', flags: 'text' },
  TermsAccepted: { accountId: 'text', acceptedAt: 'text' },
  TotpEnabled: { accountId: 'text', secret: 'text or null', enabledAt: 'text' },
  TotpDisabled: { accountId: 'text' },
  TotpStepSpent: { accountId: 'text', step: 'number' },
  BackupCodesIssued: { accountId: 'text', codes: 'list or null' },
  BackupCodesRevoked: { accountId: 'text' },
  BackupCodeConsumed: { accountId: 'text', index: 'number' },
  WebAuthnCredentialRegistered: {
    accountId: 'text',
    credentialId: 'text',
    publicKey: 'text',
    counter: 'number',
    transports: 'list',
    name: 'text or null',
    registeredAt: 'text',
  },
  WebAuthnCredentialRenamed: { accountId: 'text', credentialId: 'text', name: 'text or null' },
  WebAuthnCredentialUsed: { accountId: 'text', credentialId: 'text', counter: 'number', usedAt: 'text' },
  WebAuthnCredentialRemoved: { accountId: 'text', credentialId: 'text' },
  PasskeysChosenAsSecondFactor: { accountId: 'text', chosen: 'flag' },
  VoiceActivitySharingChosen: { accountId: 'text', shared: 'flag', chosenAt: 'text' },
  SingleSignOnLinked: { accountId: 'text', issuer: 'text', identityHash: 'text', linkedAt: 'text' },
  RegistrationApproved: { accountId: 'text' },
  RegistrationRejected: { accountId: 'text' },
  RecoveryKitCreated: { accountId: 'text', keyHash: 'text or null', createdAt: 'text' },
  RecoveryKitRevoked: { accountId: 'text' },
  RecoveryKitUsed: { accountId: 'text' },
}

export const emailAddress: MembersOf<EmailAddressEvent> = {
  EmailAddressClaimed: { addressHash: 'text', accountId: 'text' },
  EmailAddressReleased: { addressHash: 'text', accountId: 'text' },
}

export const handle: MembersOf<HandleEvent> = {
  HandleClaimed: { username: 'text', discriminator: 'number', accountId: 'text' },
  HandleReleased: { username: 'text', discriminator: 'number', accountId: 'text' },
}

const registrationUrlUse = { registrationUrlId: 'text', accountId: 'text', useCount: 'number' } as const

export const registrationUrl: MembersOf<RegistrationUrlEvent> = {
  RegistrationUrlCreated: {
    registrationUrlId: 'text',
    codeHash: 'text',
    label: 'text or null',
    createdBy: 'text or null',
    createdAt: 'text',
    expiresAt: 'text or null',
    maxUses: 'number or null',
    approvalRequired: 'flag',
  },
  RegistrationUrlUsed: registrationUrlUse,
  RegistrationUrlUseReturned: registrationUrlUse,
  RegistrationUrlRevoked: { registrationUrlId: 'text' },
}

export const singleSignOnIdentity: MembersOf<SingleSignOnIdentityEvent> = {
  SingleSignOnIdentityClaimed: { identityHash: 'text', accountId: 'text' },
  SingleSignOnIdentityReleased: { identityHash: 'text', accountId: 'text' },
}

export const userGuildSettings: MembersOf<UserGuildSettingsEvent> = {
  UserGuildSettingsChanged: { accountId: 'text', forGuild: 'text or null', changes: 'object' },
}

export const userSettings: MembersOf<UserSettingsEvent> = {
  UserSettingsChanged: { accountId: 'text', changes: 'object' },
}

const between = { accountId: 'text', otherId: 'text' } as const

export const relationship: MembersOf<RelationshipEvent> = {
  FriendshipRequested: { ...between, requestedAt: 'text', shown: 'flag' },
  FriendshipFormed: { ...between, formedAt: 'text', requestsOf: 'list' },
  AccountBlocked: { ...between, blockedAt: 'text', removedFromOther: 'flag' },
  FriendNicknameChanged: { ...between, nickname: 'text or null', since: 'text' },
  RelationshipRemoved: { ...between, removedFrom: 'list' },
}
