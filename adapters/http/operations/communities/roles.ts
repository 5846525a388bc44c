import { z } from 'zod'
import {
  changeRole,
  createRole,
  deleteRole,
  reorderHoistedRoles,
  reorderRoles,
} from '../../../../application/communities/roles/change-roles.ts'
import { listRoles, readRole } from '../../../../application/communities/roles/list-roles.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { roleChanges, roleHoistPositions, rolePositions, roleWishes } from '../../schemas/communities/role-inputs.ts'
import { guildIdInput, roleIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'
import { roleSchema } from '../../../../application/wire-objects/communities/guild-objects.ts'

const guildParams = z.object({ guild_id: guildIdInput })
const roleParams = z.object({ guild_id: guildIdInput, role_id: roleIdInput })

const listRolesOperation = operation({
  name: 'List guild roles',
  description: 'The roles of a guild, highest position first, then lowest id.',
  route: 'GET /v1/guilds/:guild_id/roles',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUserAnd('guild:role:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: guildParams,
  replies: { 200: z.array(roleSchema).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: listRoles,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const readRoleOperation = operation({
  name: 'Get guild role',
  description: 'One role of a guild.',
  route: 'GET /v1/guilds/:guild_id/roles/:role_id',
  callers: accounts({ bots: true, scope: 'guilds' }),
  bucket: perUserAnd('guild:role:list::guild_id', 'guild_id', { requests: 60, seconds: 10 }),
  params: roleParams,
  replies: { 200: roleSchema },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD', 'UNKNOWN_ROLE'],
  useCase: readRole,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.role_id),
})

const createRoleOperation = operation({
  name: 'Create guild role',
  description: 'Creates a role below all others except the everyone role.',
  route: 'POST /v1/guilds/:guild_id/roles',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:create::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  body: roleWishes,
  replies: { 200: roleSchema },
  refuses: [...ofGuild, 'MAX_GUILD_ROLES', 'MISSING_ACCESS', 'UNKNOWN_ROLE'],
  useCase: createRole,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

const changeRolePositionsOperation = operation({
  name: 'Modify guild role positions',
  description: 'Reorders roles.',
  route: 'PATCH /v1/guilds/:guild_id/roles',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:positions::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  body: rolePositions,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: reorderRoles,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

const changeRoleHoistPositionsOperation = operation({
  name: 'Modify guild role hoist positions',
  description: 'Changes in which order the member list shows roles.',
  route: 'PATCH /v1/guilds/:guild_id/roles/hoist-positions',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:hoist_positions::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: guildParams,
  body: roleHoistPositions,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: reorderHoistedRoles,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, body),
})

const resetRoleHoistPositionsOperation = operation({
  name: 'Reset guild role hoist positions',
  description: 'Lets the member list show roles in the order of their positions again.',
  route: 'DELETE /v1/guilds/:guild_id/roles/hoist-positions',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:hoist_positions_reset::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: guildParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: reorderHoistedRoles,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, 'none'),
})

const changeRoleOperation = operation({
  name: 'Modify guild role',
  description: "Changes a role below the caller's rank; of the everyone role, only color and permissions.",
  route: 'PATCH /v1/guilds/:guild_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:update::guild_id', 'guild_id', { requests: 20, seconds: 10 }),
  params: roleParams,
  body: roleChanges,
  exampleBody: { name: 'Engineer' },
  replies: { 200: roleSchema },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_ROLE'],
  useCase: changeRole,
  handle: ({ caller, params, body }, run) => run(caller, params.guild_id, params.role_id, body),
})

const deleteRoleOperation = operation({
  name: 'Delete guild role',
  description: "Deletes a role below the caller's rank, and removes it from its members.",
  route: 'DELETE /v1/guilds/:guild_id/roles/:role_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:role:delete::guild_id', 'guild_id', { requests: 10, seconds: 60 }),
  params: roleParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_ROLE'],
  useCase: deleteRole,
  handle: ({ caller, params }, run) => run(caller, params.guild_id, params.role_id),
})

/** The roles of a guild. */
export const roleOperations: readonly Operation[] = [
  listRolesOperation,
  readRoleOperation,
  createRoleOperation,
  changeRolePositionsOperation,
  changeRoleHoistPositionsOperation,
  resetRoleHoistPositionsOperation,
  changeRoleOperation,
  deleteRoleOperation,
]
