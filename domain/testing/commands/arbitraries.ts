import fc from 'fast-check'
import type { BlocklistEntryCommand } from '../../blocklist-entry/commands.ts'
import type { EmailAddressCommand } from '../../email-address/commands.ts'
import type { GuildCommand, Instance } from '../../guild/commands.ts'
import { guildFeatures } from '../../guild/features.ts'
import { initialSettings } from '../../guild/state.ts'
import type { HandleCommand } from '../../handle/commands.ts'
import { secondsAfter } from '../../kernel/timestamp.ts'
import type { AccountId } from '../../ids/ids.ts'
import type { InviteCommand } from '../../invite/commands.ts'
import type { ChangeMember, MembershipCommand } from '../../membership/commands.ts'
import type { RegistrationUrlCommand } from '../../registration-url/commands.ts'
import type { SingleSignOnIdentityCommand } from '../../single-sign-on-identity/commands.ts'
import type { NetworkBanCommand } from '../../network-ban/commands.ts'
import { channelCommands } from './channel-arbitraries.ts'
import { roleCommands } from './role-arbitraries.ts'
import { anybody, instants, oneOf, record } from '../drawing.ts'
import {
  accounts,
  ada,
  channels,
  code,
  founding,
  general,
  home,
  installation,
  homeLayout,
  moderator,
  roles,
  someRegistrationUrl,
  start,
} from '../people.ts'

/** Commands drawn from a few values each, so that histories use the same values again. */

const minutesOrNone = oneOf(0, 60, 600)

const anybodyOrInstance = oneOf<AccountId | Instance>(...accounts, 'instance')

const someFeatures = fc.array(oneOf('DISCOVERABLE', 'VERIFIED', 'INVITES_DISABLED'))

export const blocklistEntryCommands: fc.Arbitrary<BlocklistEntryCommand> = fc.oneof(
  record({
    type: oneOf('AddBlocklistEntry'),
    entryId: oneOf('e1'),
    list: oneOf('phrase'),
    scope: oneOf(null),
    value: oneOf('Buy now', 'buy now'),
    details: record({
      category: oneOf('manual', 'urlhaus'),
      severity: oneOf(0, 1, 2, 3),
      matchSubdomains: fc.boolean(),
      sourceUrl: oneOf(null),
      notes: oneOf(null, 'seen'),
      contentType: oneOf(null),
      reason: oneOf(null, 'spam'),
    }),
    addedBy: oneOf(ada, null),
    now: instants,
  }),
  record({
    type: oneOf('ChangeBlocklistEntry'),
    changes: fc.record(
      { severity: oneOf(0, 1, 2, 3), notes: oneOf(null, 'seen') },
      { requiredKeys: [], noNullPrototype: true },
    ),
  }),
  record({ type: oneOf('RemoveBlocklistEntry') }),
)

const inviteTerms = record({
  code: oneOf(code),
  guildId: oneOf(home),
  channelId: oneOf(general),
  inviterId: anybody,
  maxUses: oneOf(0, 1, 2, 3, 100),
  maxAge: minutesOrNone,
  temporary: fc.boolean(),
  createdAt: instants,
})

export const inviteCommands: fc.Arbitrary<InviteCommand> = fc.oneof(
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('CreateInvite'),
      terms: inviteTerms,
    }),
  },
  {
    weight: 6,
    arbitrary: record({ type: oneOf('RedeemInvite'), accountId: anybody, redemptionId: redemptions(), now: instants }),
  },
  { weight: 4, arbitrary: record({ type: oneOf('ReturnRedemption'), redemptionId: redemptions() }) },
  { weight: 1, arbitrary: record({ type: oneOf('DeleteInvite'), by: anybody, now: instants }) },
  { weight: 1, arbitrary: record({ type: oneOf('RestoreInvite'), terms: inviteTerms, uses: oneOf(0, 1, 2) }) },
)

function redemptions(): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 8 }).map((number) => `redemption-${number}`)
}

const memberChanges: fc.Arbitrary<ChangeMember> = record({
  type: oneOf('ChangeMember'),
  changes: fc.record(
    {
      nick: oneOf(null, 'Countess'),
      pronouns: oneOf(null, 'she/her'),
      mute: fc.boolean(),
      accentColor: oneOf(null, 255),
      communicationDisabledUntil: fc.option(instants),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
  roles: fc.option(record({ give: fc.array(oneOf(...roles)), take: fc.array(oneOf(...roles)) }), { nil: undefined }),
  isOwn: fc.boolean(),
  timeoutReason: oneOf(null, 'flooding'),
  now: instants,
})

export const membershipCommands: fc.Arbitrary<MembershipCommand> = fc.oneof(
  record({
    type: oneOf('JoinGuild'),
    guildId: oneOf(home),
    accountId: oneOf(ada),
    temporary: fc.boolean(),
    admission: oneOf(
      founding,
      { by: 'custom_invite' },
      { by: 'administration' },
      { by: 'invite', code, inviterId: null, redemptionId: 'r' },
      installation,
    ),
    now: instants,
  }),
  record({ type: oneOf('LeaveGuild'), guildId: oneOf(home), isOwner: fc.boolean(), now: instants }),
  record({ type: oneOf('EndTemporaryMembership'), isOwner: fc.boolean(), now: instants }),
  record({ type: oneOf('AddMemberRole', 'RemoveMemberRole'), roleId: oneOf(...roles) }),
  memberChanges,
  record({ type: oneOf('KickMember'), now: instants }),
  record({
    type: oneOf('BanMember'),
    guildId: oneOf(home),
    accountId: oneOf(ada),
    moderatorId: oneOf(moderator),
    reason: oneOf(null, 'spam'),
    expiresAt: fc.option(instants),
    email: oneOf(null, 'ada@example.com'),
    ip: oneOf(null, '198.51.100.7'),
    deleteMessageSeconds: oneOf(null, 60),
    deleteMessageDays: oneOf(null, 1),
    now: instants,
  }),
  record({ type: oneOf('UnbanMember'), guildId: oneOf(home), accountId: oneOf(ada), now: instants }),
)

export const networkBanCommands: fc.Arbitrary<NetworkBanCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('BanNetwork'),
      network: oneOf('203.0.113.7/32'),
      cause: oneOf('operator', 'failures'),
      reason: oneOf(null, 'spam'),
      expiresAt: fc.option(instants, { nil: null }),
      now: instants,
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('LiftNetworkBan'), now: instants }) },
)

/** The guild as its founding left it. */
const homeAtFirst = {
  name: 'Home',
  features: [],
  settings: { ...initialSettings, ...homeLayout.settings },
  roles: homeLayout.roles,
  channels: homeLayout.channels,
}
/** A whole append: within less, the same rewind goes on when it is sent again. */
const appendBounds = { events_max: oneOf(1000), bytes_max: oneOf(1_000_000) }

export const guildCommands: fc.Arbitrary<GuildCommand> = fc.oneof(
  {
    weight: 2,
    arbitrary: record({
      type: oneOf('CreateGuild'),
      guildId: oneOf(home),
      name: oneOf('Home', 'Away'),
      ownerId: anybody,
      features: fc.array(oneOf(...guildFeatures)),
      layout: oneOf(homeLayout),
      now: instants,
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('DeleteGuild'), by: anybodyOrInstance }) },
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('ChangeSettings'),
      settings: fc.record(
        {
          icon: oneOf(null, 'a_0123'),
          systemChannelId: oneOf(null, ...channels),
          afkTimeout: oneOf(60, 300),
          nsfw: fc.boolean(),
          messageHistoryCutoff: fc.option(instants),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }),
  },
  { weight: 2, arbitrary: record({ type: oneOf('SetFeatures'), features: fc.array(oneOf(...guildFeatures)) }) },
  { weight: 2, arbitrary: record({ type: oneOf('SetFeatures'), add: someFeatures, remove: someFeatures }) },
  { weight: 1, arbitrary: record({ type: oneOf('RewindGuild'), to: oneOf(homeAtFirst), ...appendBounds }) },
  { weight: 2, arbitrary: record({ type: oneOf('TransferOwnership'), by: anybodyOrInstance, to: anybody }) },
  { weight: 10, arbitrary: roleCommands },
  { weight: 20, arbitrary: channelCommands },
)

export const handleCommands: fc.Arbitrary<HandleCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('ClaimHandle'),
      username: oneOf('ada', 'Ada', 'ADA'),
      accountId: anybody,
      roll: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      alone: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      type: oneOf('ClaimHandle'),
      username: oneOf('ada'),
      accountId: anybody,
      roll: fc.constant(0),
      wish: record({ discriminator: fc.integer({ min: 0, max: 3 }), otherwise: oneOf('refuse', 'roll') }),
      replaces: record({ username: oneOf('Ada', 'grace'), discriminator: fc.integer({ min: 1, max: 3 }) }),
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('ReleaseHandle'), accountId: anybody }) },
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('ReleaseHandle'),
      accountId: anybody,
      discriminator: fc.integer({ min: 1, max: 3 }),
    }),
  },
)

export const singleSignOnIdentityCommands: fc.Arbitrary<SingleSignOnIdentityCommand> = fc.oneof(
  record({ type: oneOf('ClaimIdentity'), identityHash: oneOf('hash-of-identity'), accountId: anybody }),
  record({ type: oneOf('ReleaseIdentity'), accountId: anybody }),
)

export const emailAddressCommands: fc.Arbitrary<EmailAddressCommand> = fc.oneof(
  record({ type: oneOf('ClaimAddress'), addressHash: oneOf('hash-of-address'), accountId: anybody }),
  record({
    type: oneOf('ClaimAddress'),
    addressHash: oneOf('hash-of-address'),
    accountId: anybody,
    orWaits: oneOf(true as const),
  }),
  record({ type: oneOf('ReleaseAddress'), addressHash: oneOf('hash-of-address'), accountId: anybody }),
)

export const registrationUrlCommands: fc.Arbitrary<RegistrationUrlCommand> = fc.oneof(
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('CreateRegistrationUrl'),
      terms: record({
        registrationUrlId: oneOf(someRegistrationUrl),
        codeHash: oneOf('code-1', 'code-2'),
        label: oneOf(null, 'Summer'),
        createdBy: oneOf(null, ...accounts),
        createdAt: instants,
        expiresAt: oneOf(null, secondsAfter(start, 600), secondsAfter(start, 1200)),
        maxUses: oneOf(null, 1, 2, 3),
        approvalRequired: fc.boolean(),
      }),
    }),
  },
  { weight: 6, arbitrary: record({ type: oneOf('UseRegistrationUrl'), accountId: anybody, now: instants }) },
  { weight: 4, arbitrary: record({ type: oneOf('ReturnRegistrationUrlUse'), accountId: anybody }) },
  { weight: 1, arbitrary: record({ type: oneOf('RevokeRegistrationUrl') }) },
)
