import { z } from 'zod'
import { accounts } from '../../callers.js'
import { perUserAnd } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { role } from '../../schemas/communities/guilds.js'
import { roleChanges, roleHoistPositions, rolePositions, roleWishes } from '../../schemas/communities/role-inputs.js'
import { guildIdInput, roleIdInput } from '../../schemas/scalars.js'
import { ofGuild } from '../refusals-of-places.js'

const guildParams = z.object({ guild_id: guildIdInput })
const roleParams = z.object({ guild_id: guildIdInput, role_id: roleIdInput })

export const listRolesOperation = operation({
  name: 'List guild roles',
  route: 'GET /v1/guilds/:guild_id/roles',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUserAnd('guild:role:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: guildParams,
  query: none,
  body: none,
  replies: { 200: z.array(role).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  handle: ({ caller, params }, { roles }) => roles.list(caller, params.guild_id),
})

export const createRoleOperation = operation({
  name: 'Create guild role',
  route: 'POST /v1/guilds/:guild_id/roles',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:create::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  query: none,
  body: roleWishes,
  replies: { 200: role },
  refuses: [...ofGuild, 'MAX_GUILD_ROLES', 'MISSING_ACCESS', 'UNKNOWN_ROLE'],
  handle: ({ caller, params, body }, { roles }) => roles.create(caller, params.guild_id, body),
})

export const changeRolePositionsOperation = operation({
  name: 'Modify guild role positions',
  route: 'PATCH /v1/guilds/:guild_id/roles',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:positions::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  query: none,
  body: rolePositions,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params, body }, { roles }) => roles.reorder(caller, params.guild_id, body),
})

export const changeRoleHoistPositionsOperation = operation({
  name: 'Modify guild role hoist positions',
  route: 'PATCH /v1/guilds/:guild_id/roles/hoist-positions',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:hoist_positions::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  query: none,
  body: roleHoistPositions,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params, body }, { roles }) => roles.reorderHoisted(caller, params.guild_id, body),
})

export const resetRoleHoistPositionsOperation = operation({
  name: 'Reset guild role hoist positions',
  route: 'DELETE /v1/guilds/:guild_id/roles/hoist-positions',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:hoist_positions_reset::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  handle: ({ caller, params }, { roles }) => roles.reorderHoisted(caller, params.guild_id, 'none'),
})

export const changeRoleOperation = operation({
  name: 'Modify guild role',
  route: 'PATCH /v1/guilds/:guild_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: roleParams,
  query: none,
  body: roleChanges,
  replies: { 200: role },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_ROLE'],
  handle: ({ caller, params, body }, { roles }) => roles.change(caller, params.guild_id, params.role_id, body),
})

export const deleteRoleOperation = operation({
  name: 'Delete guild role',
  route: 'DELETE /v1/guilds/:guild_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:delete::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: roleParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_ROLE'],
  handle: ({ caller, params }, { roles }) => roles.delete(caller, params.guild_id, params.role_id),
})
