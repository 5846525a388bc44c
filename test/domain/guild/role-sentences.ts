import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { ChangeRole, CreateRole, RoleCommand } from '../../../domain/guild/role-commands.ts'
import type { Role } from '../../../domain/guild/state.ts'
import type { RoleId } from '../../../domain/ids/ids.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { ada, everyone, grace, home, plainRole, role, start } from '../../../domain/testing/people.ts'

/** What the tests about roles use: Ada's guild with three roles, and Grace, who manages roles with the second. */

export const { MANAGE_ROLES, KICK_MEMBERS, BAN_MEMBERS, VIEW_CHANNEL, MANAGE_THREADS } = permissionBits

export const roleAt = (
  number: number,
  position: number,
  permissions = 0n,
  hoistPosition: number | null = null,
): Role => ({
  ...plainRole,
  id: role(number),
  position,
  hoistPosition,
  permissions: permissions.toString(),
})
export const everyones: Role = {
  ...plainRole,
  id: everyone,
  name: '@everyone',
  position: 0,
  permissions: VIEW_CHANNEL.toString(),
}

export const founded: readonly GuildEvent[] = [
  { type: 'GuildCreated', data: { guildId: home, name: 'Home', ownerId: ada, features: [], createdAt: start } },
  ...[everyones, roleAt(1, 3, KICK_MEMBERS), roleAt(2, 2, MANAGE_ROLES | KICK_MEMBERS), roleAt(3, 1, BAN_MEMBERS)].map(
    (made): GuildEvent => ({ type: 'RoleCreated', data: { guildId: home, role: made } }),
  ),
]
export const strict: GuildEvent = { type: 'GuildSettingsChanged', data: { guildId: home, settings: { mfaLevel: 1 } } }
export const deleted: GuildEvent = { type: 'GuildDeleted', data: { guildId: home, ownerId: ada, channelIds: [] } }

/** Grace manages roles with her second role: the first is above her, the third below. */
export const manager = { accountId: grace, roles: [role(2)], hasAuthenticator: false }
export const owner = { accountId: ada, roles: [], hasAuthenticator: false }
export const stranger = { accountId: grace, roles: [], hasAuthenticator: true }

export const all = { undeclared: 0n }
export const create = (by = manager, permissions: CreateRole['permissions'] = null, roles_max = 250): CreateRole => ({
  type: 'CreateRole',
  by,
  roleId: role(9),
  name: 'Crew',
  color: 7,
  permissions,
  roles_max,
})
export const change = (id: RoleId, wanted: Partial<ChangeRole>, by = manager): ChangeRole => ({
  type: 'ChangeRole',
  by,
  roleId: id,
  details: {},
  permissions: null,
  ...wanted,
})
export const reorder = (positions: readonly (readonly [RoleId, number | null])[], by = manager): RoleCommand => ({
  type: 'ReorderRoles',
  by,
  positions: positions.map(([roleId, position]) => ({ roleId, position })),
})
export const hoist = (
  positions: readonly (readonly [RoleId, number | null])[] | 'none',
  by = manager,
): RoleCommand => ({
  type: 'ReorderHoistedRoles',
  by,
  hoistPositions:
    positions === 'none' ? 'none' : positions.map(([roleId, hoistPosition]) => ({ roleId, hoistPosition })),
})
export const remove = (id: RoleId, by = manager): RoleCommand => ({ type: 'DeleteRole', by, roleId: id })
export const made = (permissions: bigint): GuildEvent => ({
  type: 'RoleCreated',
  data: {
    guildId: home,
    role: { ...plainRole, id: role(9), name: 'Crew', color: 7, position: 1, permissions: permissions.toString() },
  },
})
export const changed = (id: RoleId, before: Partial<Role>, after: Partial<Role>): GuildEvent => ({
  type: 'RoleChanged',
  data: { guildId: home, roleId: id, before, after },
})
