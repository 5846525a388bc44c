import type { GuildAuditEvent } from '../../../domain/guild-audit/events.js'
import type { GuildEvent } from '../../../domain/guild/events.js'
import type { InviteEvent } from '../../../domain/invite/events.js'
import type { MembershipEvent } from '../../../domain/membership/events.js'
import type { MembersOf } from './member-kinds.js'

export const guild: MembersOf<GuildEvent> = {
  GuildCreated: { guildId: 'text', name: 'text', ownerId: 'text', features: 'list', createdAt: 'text' },
  RoleCreated: { guildId: 'text', role: 'object' },
  RoleChanged: { guildId: 'text', roleId: 'text', before: 'object', after: 'object' },
  RolesReordered: { guildId: 'text', roles: 'list' },
  RoleDeleted: { guildId: 'text', role: 'object' },
  VanityCodeChanged: { guildId: 'text', before: 'object or null', after: 'object or null' },
  OwnershipTransferred: { guildId: 'text', from: 'text', to: 'text' },
  ChannelCreated: { guildId: 'text', channel: 'object', founding: 'flag' },
  ChannelChanged: { guildId: 'text', channelId: 'text', channelType: 'number', before: 'object', after: 'object' },
  ChannelOverwritesChanged: { guildId: 'text', channelId: 'text', before: 'list', after: 'list', synced: 'list' },
  ChannelMoved: {
    guildId: 'text',
    channelId: 'text',
    parentId: 'text or null',
    positions: 'list',
    overwrites: 'list or null',
  },
  ChannelNamesNormalised: { guildId: 'text', names: 'list' },
  ChannelDeleted: { guildId: 'text', channel: 'object', orphans: 'list' },
  ChannelMessagesRemoved: { guildId: 'text', channelIds: 'list', ofGuild: 'flag' },
  GuildSettingsChanged: { guildId: 'text', settings: 'object' },
  GuildModified: { guildId: 'text', before: 'object', after: 'object' },
  GuildFeaturesChanged: { guildId: 'text', features: 'list' },
  GuildDeleted: { guildId: 'text', ownerId: 'text', channelIds: 'list' },
}

const groupInviteTerms = {
  code: 'text',
  channelId: 'text',
  inviterId: 'text',
  maxUses: 'number',
  maxAge: 'number',
  temporary: 'flag',
  createdAt: 'text',
} as const

const inviteTerms = { ...groupInviteTerms, guildId: 'text' } as const
const groupInvite = { ...groupInviteTerms, recipients: 'list' } as const

export const invite: MembersOf<InviteEvent> = {
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
  GroupInviteCreated: groupInvite,
  GroupInviteRedeemed: { code: 'text', channelId: 'text', accountId: 'text', redemptionId: 'text', uses: 'number' },
  GroupInviteDeleted: { ...groupInvite, uses: 'number', deletedBy: 'text' },
  CustomCodeClaimed: { code: 'text', guildId: 'text', claim: 'number' },
  CustomCodeReleased: { code: 'text', guildId: 'text', claim: 'number' },
}

export const membership: MembersOf<MembershipEvent> = {
  MemberJoined: { guildId: 'text', accountId: 'text', joinedAt: 'text', temporary: 'flag', admission: 'object' },
  MemberLeft: { guildId: 'text', accountId: 'text' },
  MemberChanged: {
    guildId: 'text',
    accountId: 'text',
    before: 'object',
    after: 'object',
    textsBefore: 'object or null',
    textsAfter: 'object or null',
    timeoutReason: 'text or null',
  },
  MemberRolesChanged: { guildId: 'text', accountId: 'text', roles: 'list' },
  MemberKicked: { guildId: 'text', accountId: 'text', kickedAt: 'text' },
  MemberBanned: {
    guildId: 'text',
    accountId: 'text',
    moderatorId: 'text',
    wasMember: 'flag',
    reason: 'text or null',
    bannedAt: 'text',
    expiresAt: 'text or null',
    email: 'text or null',
    ip: 'text or null',
    deleteMessageSeconds: 'number or null',
    deleteMessageDays: 'number or null',
  },
  MemberUnbanned: {
    guildId: 'text',
    accountId: 'text',
    moderatorId: 'text',
    reason: 'text or null',
    bannedAt: 'text',
    expiresAt: 'text or null',
    ip: 'text or null',
  },
}

const auditEntry = { entryId: 'text', guildId: 'text', channelId: 'text' } as const

export const guildAudit: MembersOf<GuildAuditEvent> = {
  MessageDeletionRecorded: { ...auditEntry, messageId: 'text' },
  BulkDeletionRecorded: { ...auditEntry, count: 'number' },
  MessageDeletionsFolded: { ...auditEntry, deletedBy: 'text or null', folded: 'list', reason: 'text or null' },
}
