import { listAdminGuildBans } from '../../../../application/administration/guilds/list-guild-bans.ts'
import { listAdminGuildInvites } from '../../../../application/administration/guilds/list-guild-invites.ts'
import { listAdminGuildMembers } from '../../../../application/administration/guilds/list-guild-members.ts'
import {
  listAdminGuildChannels,
  listAdminGuildRoles,
} from '../../../../application/administration/guilds/read-guild-parts.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  bansPage,
  guildBans,
  guildChannels,
  guildInvites,
  guildMembers,
  guildRoles,
  wantedMembers,
} from '../../schemas/administration/guild-reads.ts'
import { adminLookup } from './buckets.ts'
import { guildParams, ofGuild } from './of-guilds.ts'

const listAdminGuildMembersOperation = operation({
  name: 'List Admin guild members',
  description:
    'The members of a guild after an account, ascending by id, each with how it came in; by the beginning of the username, the display name or the nickname there, and by the invite that admitted them.',
  route: 'GET /v1/admin/guilds/:guild_id/members',
  callers: admin({ acls: ['guild:list:members'] }),
  bucket: adminLookup,
  params: guildParams,
  query: wantedMembers,
  replies: { 200: guildMembers },
  adminAudit: {
    action: 'list_guild_members',
    ...ofGuild,
    metadata: ({ query }, { members }) => ({
      ...pageIn(query),
      has_query: String(query.name !== undefined),
      ...(query.invite !== undefined && { invite_code: query.invite }),
      member_count: String(members.length),
    }),
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: listAdminGuildMembers,
  handle: async ({ params, query }, run) => ({ members: await run(params.guild_id, query) }),
})

const listAdminGuildChannelsOperation = operation({
  name: 'List Admin guild channels',
  description: 'All channels of a guild with their overwrites, in their order.',
  route: 'GET /v1/admin/guilds/:guild_id/channels',
  callers: admin({ acls: ['guild:lookup'] }),
  bucket: adminLookup,
  params: guildParams,
  replies: { 200: guildChannels },
  adminAudit: {
    action: 'list_guild_channels',
    ...ofGuild,
    metadata: (_, { channels }) => ({ channel_count: String(channels.length) }),
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: listAdminGuildChannels,
  handle: async ({ params }, run) => ({ channels: await run(params.guild_id) }),
})

const listAdminGuildRolesOperation = operation({
  name: 'List Admin guild roles',
  description: 'All roles of a guild with their permissions, the highest first.',
  route: 'GET /v1/admin/guilds/:guild_id/roles',
  callers: admin({ acls: ['guild:lookup'] }),
  bucket: adminLookup,
  params: guildParams,
  replies: { 200: guildRoles },
  adminAudit: {
    action: 'list_guild_roles',
    ...ofGuild,
    metadata: (_, { roles }) => ({ role_count: String(roles.length) }),
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: listAdminGuildRoles,
  handle: async ({ params }, run) => ({ roles: await run(params.guild_id) }),
})

const listAdminGuildInvitesOperation = operation({
  name: 'List Admin guild invites',
  description:
    'The invites to a guild that can still admit, newest first, each with who made it and its uses, and the custom invite URL. List Admin guild members tells who came by which.',
  route: 'GET /v1/admin/guilds/:guild_id/invites',
  callers: admin({ acls: ['guild:lookup'] }),
  bucket: adminLookup,
  params: guildParams,
  replies: { 200: guildInvites },
  adminAudit: {
    action: 'list_guild_invites',
    ...ofGuild,
    metadata: (_, { invites }) => ({ invite_count: String(invites.length) }),
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: listAdminGuildInvites,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const listAdminGuildBansOperation = operation({
  name: 'List Admin guild bans',
  description: 'The bans of a guild that are in force, after an account, ascending by id.',
  route: 'GET /v1/admin/guilds/:guild_id/bans',
  callers: admin({ acls: ['guild:lookup'] }),
  bucket: adminLookup,
  params: guildParams,
  query: bansPage,
  replies: { 200: guildBans },
  adminAudit: {
    action: 'list_guild_bans',
    ...ofGuild,
    metadata: ({ query }, { bans }) => ({ ...pageIn(query), ban_count: String(bans.length) }),
  },
  refuses: ['UNKNOWN_GUILD'],
  useCase: listAdminGuildBans,
  handle: async ({ caller, params, query }, run) => ({ bans: await run(caller, params.guild_id, query) }),
})

/** What an entry says of a page: its length and its cursor, if it was given. */
function pageIn({ limit, after }: { readonly limit: number; readonly after?: AccountId }) {
  return { limit: String(limit), ...(after !== undefined && { after_user_id: after }) }
}

/** What administrators list of a guild. */
export const guildListOperations: readonly Operation[] = [
  listAdminGuildMembersOperation,
  listAdminGuildChannelsOperation,
  listAdminGuildRolesOperation,
  listAdminGuildInvitesOperation,
  listAdminGuildBansOperation,
]
