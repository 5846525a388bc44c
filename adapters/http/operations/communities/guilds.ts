import { z } from 'zod'
import { createGuild } from '../../../../application/communities/guilds/create-guild.ts'
import { deleteGuild } from '../../../../application/communities/guilds/delete-guild.ts'
import { getGuild, previewGuild } from '../../../../application/communities/guilds/get-guild.ts'
import { leaveGuild } from '../../../../application/communities/guilds/leave-guild.ts'
import { listOwnGuilds } from '../../../../application/communities/guilds/list-own-guilds.ts'
import { modifyGuild } from '../../../../application/communities/guilds/modify-guild.ts'
import { accounts } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { guildChanges, guildsPage, guildWishes } from '../../schemas/communities/guild-inputs.ts'
import { queryBoolean } from '../../schemas/query-inputs.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { alwaysSudo, sudoOnDemand } from '../../sudo.ts'
import { ofGuild } from '../refusals-of-access.ts'
import {
  fullGuildSchema,
  guildPreviewSchema,
  listedGuildSchema,
} from '../../../../application/wire-objects/communities/full-guild-objects.ts'
import { guildSchema } from '../../../../application/wire-objects/communities/guild-objects.ts'

const guildParams = z.object({ guild_id: guildIdInput })

const createGuildOperation = operation({
  name: 'Create guild',
  description: 'Creates a guild and makes the caller its owner and first member.',
  route: 'POST /v1/guilds',
  callers: accounts({ bots: 'refused' }),
  bucket: perUser('guild:create', { requests: 10, seconds: 60 }),
  body: guildWishes,
  takesImage: true,
  replies: { 200: guildSchema },
  refuses: [
    'ACCOUNT_LIMITED',
    'BOTS_CANNOT_CREATE_GUILDS',
    'GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED',
    'GUILD_TEMPLATE_INVALID',
    'MAX_GUILDS',
    'SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS',
    'UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS',
  ],
  useCase: createGuild,
  handle: ({ caller, body }, run) => run(caller, body),
})

const listOwnGuildsOperation = operation({
  name: 'List current user guilds',
  description:
    "The caller's guilds in ascending order of ids, including unavailable ones, with the caller's permissions in each, and with member counts if requested.",
  route: 'GET /v1/users/@me/guilds',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUser('guild:list', { requests: 40, seconds: 10 }),
  query: guildsPage,
  replies: { 200: z.array(listedGuildSchema).readonly() },
  useCase: listOwnGuilds,
  handle: ({ caller, query }, run) => run(caller, query.page, query.withCounts),
})

const getGuildOperation = operation({
  name: 'Get guild',
  description: 'A guild with its roles and the channels that the caller can view.',
  route: 'GET /v1/guilds/:guild_id',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUserAnd('guild:read::guild_id', 'guild_id', { requests: 100, seconds: 10 }),
  params: guildParams,
  replies: { 200: fullGuildSchema },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: getGuild,
  handle: async ({ caller, params }, run) => run(caller, params.guild_id),
})

const previewGuildOperation = operation({
  name: 'Get guild preview',
  description: 'A guild with its emojis, stickers and counts, for its members.',
  route: 'GET /v1/guilds/:guild_id/preview',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:read::guild_id', 'guild_id', { requests: 100, seconds: 10 }),
  params: guildParams,
  replies: { 200: guildPreviewSchema },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: previewGuild,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const modifyGuildOperation = operation({
  name: 'Modify guild',
  description: 'Changes a guild.',
  route: 'PATCH /v1/guilds/:guild_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  body: guildChanges,
  exampleBody: { name: 'Engine' },
  takesImage: true,
  sudo: sudoOnDemand,
  replies: { 200: guildSchema },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: modifyGuild,
  handle: ({ caller, params, body, proveSudo }, run) => run(caller, params.guild_id, body, proveSudo),
})

const deleteGuildOperation = operation({
  name: 'Delete guild',
  description: 'Deletes a guild for good; only its owner may.',
  route: 'POST /v1/guilds/:guild_id/delete',
  callers: accounts({ bots: 'refused' }),
  bucket: perUserAnd('guild:delete::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'SINGLE_COMMUNITY_CANNOT_DELETE', 'UNKNOWN_GUILD'],
  useCase: deleteGuild,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const leaveGuildOperation = operation({
  name: 'Leave guild',
  description: "Ends the caller's membership, also in an unavailable guild.",
  route: 'DELETE /v1/users/@me/guilds/:guild_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:leave::guild_id', 'guild_id', { requests: 10, seconds: 10 }),
  params: guildParams,
  query: z.object({ delete_messages: queryBoolean }),
  sudo: sudoOnDemand,
  replies: { 204: none },
  refuses: [
    'MISSING_PERMISSIONS',
    'RESOURCE_LOCKED',
    'SINGLE_COMMUNITY_CANNOT_LEAVE',
    'UNKNOWN_GUILD',
    'UNKNOWN_MEMBER',
  ],
  useCase: leaveGuild,
  handle: ({ caller, params, query, proveSudo }, run) => run(caller, params.guild_id, query.delete_messages, proveSudo),
})

/** Guilds. */
export const guildOperations: readonly Operation[] = [
  createGuildOperation,
  listOwnGuildsOperation,
  getGuildOperation,
  previewGuildOperation,
  leaveGuildOperation,
  modifyGuildOperation,
  deleteGuildOperation,
]
