import { z } from 'zod'
import { accounts } from '../../callers.js'
import { perUser, perUserAnd } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { auditLog, auditLogPage } from '../../schemas/communities/audit-log.js'
import { guildChanges, guildsPage, guildWishes } from '../../schemas/communities/guild-inputs.js'
import { fullGuild, guild, listedGuild } from '../../schemas/communities/guilds.js'
import { newOwner } from '../../schemas/communities/role-inputs.js'
import { queryBoolean } from '../../schemas/query-inputs.js'
import { guildIdInput } from '../../schemas/scalars.js'
import { alwaysSudo, sudoOnDemand } from '../../sudo.js'
import { ofGuild } from '../refusals-of-places.js'

const guildParams = z.object({ guild_id: guildIdInput })

export const createGuildOperation = operation({
  name: 'Create guild',
  route: 'POST /v1/guilds',
  callers: accounts({ bots: 'refused' }),
  bucket: perUser('guild:create', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: guildWishes,
  takesImage: true,
  replies: { 200: guild },
  refuses: [
    'ACCOUNT_LIMITED',
    'BOTS_CANNOT_CREATE_GUILDS',
    'GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED',
    'GUILD_TEMPLATE_INVALID',
    'MAX_GUILDS',
    'SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS',
    'UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS',
  ],
  handle: ({ caller, body }, { guilds }) => guilds.create(caller, body),
})

export const listOwnGuildsOperation = operation({
  name: 'List current user guilds',
  route: 'GET /v1/users/@me/guilds',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUser('guild:list', { requests: 40, seconds: 10 }),
  params: none,
  query: guildsPage,
  body: none,
  replies: { 200: z.array(listedGuild).readonly() },
  handle: ({ caller, query }, { guilds }) => guilds.listOwn(caller, query.page, query.withCounts),
})

export const getGuildOperation = operation({
  name: 'Get guild',
  route: 'GET /v1/guilds/:guild_id',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUserAnd('guild:read::guild_id', 'guild_id', { requests: 100, seconds: 10 }),
  params: guildParams,
  query: none,
  body: none,
  replies: { 200: fullGuild },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  handle: ({ caller, params }, { guilds }) => guilds.get(caller, params.guild_id),
})

export const modifyGuildOperation = operation({
  name: 'Modify guild',
  route: 'PATCH /v1/guilds/:guild_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  query: none,
  body: guildChanges,
  takesImage: true,
  sudo: sudoOnDemand,
  replies: { 200: guild },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params, body, proveSudo }, { guilds }) => guilds.modify(caller, params.guild_id, body, proveSudo),
})

export const deleteGuildOperation = operation({
  name: 'Delete guild',
  route: 'POST /v1/guilds/:guild_id/delete',
  callers: accounts({ bots: 'refused' }),
  bucket: perUserAnd('guild:delete::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'SINGLE_COMMUNITY_CANNOT_DELETE', 'UNKNOWN_GUILD'],
  handle: ({ caller, params }, { guilds }) => guilds.delete(caller, params.guild_id),
})

export const transferOwnershipOperation = operation({
  name: 'Transfer guild ownership',
  route: 'POST /v1/guilds/:guild_id/transfer-ownership',
  callers: accounts({ bots: 'refused' }),
  bucket: perUserAnd('guild:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  query: none,
  body: newOwner,
  keepsNoText: true,
  sudo: alwaysSudo,
  replies: { 200: guild },
  refuses: [
    'CANNOT_TRANSFER_OWNERSHIP_TO_BOT',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'RESOURCE_LOCKED',
    'UNKNOWN_GUILD',
    'UNKNOWN_MEMBER',
  ],
  handle: ({ caller, params, body }, { guilds }) =>
    guilds.transferOwnership(caller, params.guild_id, body.new_owner_id),
})

export const leaveGuildOperation = operation({
  name: 'Leave guild',
  route: 'DELETE /v1/users/@me/guilds/:guild_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:leave::guild_id', 'guild_id', { requests: 10, seconds: 10 }),
  params: guildParams,
  query: z.object({ delete_messages: queryBoolean }),
  body: none,
  sudo: sudoOnDemand,
  replies: { 204: none },
  refuses: [
    'MISSING_PERMISSIONS',
    'RESOURCE_LOCKED',
    'SINGLE_COMMUNITY_CANNOT_LEAVE',
    'UNKNOWN_GUILD',
    'UNKNOWN_MEMBER',
  ],
  handle: ({ caller, params, query, proveSudo }, { guilds }) =>
    guilds.leave(caller, params.guild_id, query.delete_messages, proveSudo),
})

export const readAuditLogOperation = operation({
  name: 'List guild audit log entries',
  route: 'GET /v1/guilds/:guild_id/audit-logs',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:audit_logs::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  query: auditLogPage,
  body: none,
  replies: { 200: auditLog },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params, query }, { auditLogs }) => auditLogs.read(caller, params.guild_id, query),
})
