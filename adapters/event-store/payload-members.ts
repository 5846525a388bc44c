import type { AccountEvent } from '../../domain/account/events.js'
import type { EmailAddressEvent } from '../../domain/email-address/events.js'
import type { GuildEvent } from '../../domain/guild/events.js'
import type { HandleEvent } from '../../domain/handle/events.js'
import type { InstanceEvent } from '../../domain/instance/events.js'
import type { InviteEvent } from '../../domain/invite/events.js'
import type { DomainEvent } from '../../domain/kernel/decider.js'
import type { Category } from '../../domain/kernel/streams.js'
import type { MembershipEvent } from '../../domain/membership/events.js'
import type { NetworkBanEvent } from '../../domain/network-ban/events.js'
import type { RegistrationUrlEvent } from '../../domain/registration-url/events.js'
import type { SingleSignOnIdentityEvent } from '../../domain/single-sign-on-identity/events.js'
import type { UserGuildSettingsEvent } from '../../domain/user-guild-settings/events.js'
import type { UserSettingsEvent } from '../../domain/user-settings/events.js'

type Base = 'text' | 'number' | 'flag' | 'list' | 'object'
/** What a member of an event's data is. */
export type MemberKind = Base | `${Base} or null`

type BaseOf<Value> = Value extends string
  ? 'text'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'flag'
      : Value extends readonly unknown[]
        ? 'list'
        : 'object'
type KindOf<Value> = null extends Value ? `${BaseOf<NonNullable<Value>>} or null` : BaseOf<Value>
type DataOf<Event extends DomainEvent, Type> = Extract<Event, { readonly type: Type }>['data']
/** The compiler holds the tables below against the types of the events. */
type MembersOf<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: {
    readonly [Member in keyof DataOf<Event, Type>]: KindOf<DataOf<Event, Type>[Member]>
  }
}

/** The members that the data of an event must have, by category and type, in the newest version. */
export type PayloadMembers = Readonly<
  Partial<Record<Category, Readonly<Record<string, Readonly<Record<string, MemberKind>>>>>>
>

const account: MembersOf<AccountEvent> = {
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

const emailAddress: MembersOf<EmailAddressEvent> = {
  EmailAddressClaimed: { addressHash: 'text', accountId: 'text' },
  EmailAddressReleased: { addressHash: 'text', accountId: 'text' },
}

const guild: MembersOf<GuildEvent> = {
  GuildCreated: { guildId: 'text', name: 'text', ownerId: 'text', features: 'list', createdAt: 'text' },
  RoleCreated: { guildId: 'text', role: 'object' },
  ChannelCreated: { guildId: 'text', channel: 'object' },
  GuildSettingsChanged: { guildId: 'text', settings: 'object' },
  GuildFeaturesChanged: { guildId: 'text', features: 'list' },
  GuildDeleted: { guildId: 'text', ownerId: 'text' },
}

const handle: MembersOf<HandleEvent> = {
  HandleClaimed: { username: 'text', discriminator: 'number', accountId: 'text' },
  HandleReleased: { username: 'text', discriminator: 'number', accountId: 'text' },
}

const instance: MembersOf<InstanceEvent> = {
  InstancePolicyChanged: { changes: 'object', changedAt: 'text' },
  AccountIdentityFixed: { signIn: 'text', tagStyle: 'text', fixedAt: 'text' },
}

const inviteTerms = {
  code: 'text',
  guildId: 'text',
  channelId: 'text',
  inviterId: 'text',
  maxUses: 'number',
  maxAge: 'number',
  temporary: 'flag',
  createdAt: 'text',
} as const

const invite: MembersOf<InviteEvent> = {
  InviteCreated: inviteTerms,
  InviteRedeemed: {
    code: 'text',
    guildId: 'text',
    accountId: 'text',
    inviterId: 'text',
    temporary: 'flag',
    redemptionId: 'text',
    uses: 'number',
  },
  InviteRedemptionReturned: { code: 'text', redemptionId: 'text', uses: 'number' },
  InviteDeleted: { ...inviteTerms, uses: 'number', deletedBy: 'text' },
}

const membership: MembersOf<MembershipEvent> = {
  MemberJoined: { guildId: 'text', accountId: 'text', joinedAt: 'text', temporary: 'flag', admission: 'object' },
  MemberLeft: { guildId: 'text', accountId: 'text' },
  MemberRolesChanged: { guildId: 'text', accountId: 'text', roles: 'list' },
  MemberBanned: {
    guildId: 'text',
    accountId: 'text',
    moderatorId: 'text',
    wasMember: 'flag',
    reason: 'text or null',
    bannedAt: 'text',
    expiresAt: 'text or null',
  },
}

const singleSignOnIdentity: MembersOf<SingleSignOnIdentityEvent> = {
  SingleSignOnIdentityClaimed: { identityHash: 'text', accountId: 'text' },
  SingleSignOnIdentityReleased: { identityHash: 'text', accountId: 'text' },
}

const registrationUrlUse = { registrationUrlId: 'text', accountId: 'text', useCount: 'number' } as const

const registrationUrl: MembersOf<RegistrationUrlEvent> = {
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

const networkBan: MembersOf<NetworkBanEvent> = {
  NetworkBanned: {
    network: 'text',
    cause: 'text',
    reason: 'text or null',
    bannedAt: 'text',
    expiresAt: 'text or null',
  },
  NetworkBanLifted: { network: 'text', liftedAt: 'text' },
}

const userGuildSettings: MembersOf<UserGuildSettingsEvent> = {
  UserGuildSettingsChanged: { accountId: 'text', forGuild: 'text or null', changes: 'object' },
}

const userSettings: MembersOf<UserSettingsEvent> = {
  UserSettingsChanged: { accountId: 'text', changes: 'object' },
}

/** The members of every event that the store can hold. */
export const payloadMembers: PayloadMembers = {
  account,
  email_address: emailAddress,
  guild,
  handle,
  instance,
  invite,
  membership,
  network_ban: networkBan,
  registration_url: registrationUrl,
  single_sign_on_identity: singleSignOnIdentity,
  user_guild_settings: userGuildSettings,
  user_settings: userSettings,
}

/** The first member that is missing or of another kind, in words; undefined where all are as they should be. */
export function misfitIn(
  data: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, MemberKind>>,
): string | undefined {
  for (const member in members) {
    const kind = members[member]
    if (kind !== undefined && !isOfKind(data[member], kind)) return `its member ${member} is not ${kind}`
  }
  return undefined
}

function isOfKind(value: unknown, kind: MemberKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'list':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'text or null':
    case 'number or null':
    case 'flag or null':
    case 'list or null':
    case 'object or null':
      return value === null || isOfKind(value, withoutNull[kind])
  }
}

const withoutNull = {
  'text or null': 'text',
  'number or null': 'number',
  'flag or null': 'flag',
  'list or null': 'list',
  'object or null': 'object',
} as const
