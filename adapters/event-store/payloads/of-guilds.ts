import type { GuildEvent } from '../../../domain/guild/events.js'
import type { InviteEvent } from '../../../domain/invite/events.js'
import type { MembershipEvent } from '../../../domain/membership/events.js'
import type { MembersOf } from './member-kinds.js'

export const guild: MembersOf<GuildEvent> = {
  GuildCreated: { guildId: 'text', name: 'text', ownerId: 'text', features: 'list', createdAt: 'text' },
  RoleCreated: { guildId: 'text', role: 'object' },
  ChannelCreated: { guildId: 'text', channel: 'object' },
  GuildSettingsChanged: { guildId: 'text', settings: 'object' },
  GuildFeaturesChanged: { guildId: 'text', features: 'list' },
  GuildDeleted: { guildId: 'text', ownerId: 'text' },
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
}

export const membership: MembersOf<MembershipEvent> = {
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
