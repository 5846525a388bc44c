import type {
  CreateRole,
  MaskWish,
  ReorderHoistedRoles,
  ReorderRoles,
  RoleCommand,
  RoleDetails,
} from '../../../domain/guild/role-commands.ts'
import type { GuildState } from '../../../domain/guild/state.ts'
import { roleId, type GuildId, type RoleId } from '../../../domain/ids/ids.ts'
import { requireGuild, requirePermission, type GuildAccess } from '../../access/guild-access.ts'
import { undeclaredBitsOf, viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { roleObject, type RoleObject } from '../../wire-objects/communities/guild-objects.ts'
import type { Ports } from '../../ports.ts'

/** The parsed body of Create role. `permissions` holds defined bits only; null copies those of the everyone role. */
export type RoleWishes = Pick<CreateRole, 'name' | 'color'> & { readonly permissions: bigint | null }

/** The parsed body of Modify role: only the members that were sent. */
export interface RoleChanges {
  readonly details: Partial<RoleDetails>
  readonly permissions: bigint | null
}

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'limits'>

/**
 * Creates a role below all others except the everyone role. Refuses with UNKNOWN_GUILD, MISSING_ACCESS,
 * MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, MISSING_PERMISSIONS for a bit that the caller lacks, MAX_GUILD_ROLES. See
 * rules/roles-and-permissions#create-a-role.
 */
export function createRole(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, { name, color, permissions }: RoleWishes): Promise<RoleObject> => {
    const { guild, actor: by } = await manageRoles(ports, caller, guildId)
    const { max_guild_roles: roles_max } = await ports.limits.ofGuild(guild)
    const id = roleId(caller.context.newId())
    const mask = maskWish(caller, permissions)
    return written(ports, caller, guildId, {
      type: 'CreateRole',
      by,
      roleId: id,
      name,
      color,
      permissions: mask,
      roles_max,
    })
  }
}

/**
 * Changes a role below the caller's rank; of the everyone role, only color and permissions. Refuses as Create role
 * does, without its limit, and with UNKNOWN_ROLE. See rules/roles-and-permissions#change-a-role.
 */
export function changeRole(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, id: RoleId, changes: RoleChanges): Promise<RoleObject> => {
    const { actor: by } = await manageRoles(ports, caller, guildId)
    const { details, permissions } = changes
    const mask = maskWish(caller, permissions)
    return written(ports, caller, guildId, { type: 'ChangeRole', by, roleId: id, details, permissions: mask })
  }
}

/**
 * Reorders roles. Refuses as Modify role does; the field codes are CANNOT_REORDER_EVERYONE_ROLE and INVALID_ROLE_ID.
 * See rules/roles-and-permissions#order-roles.
 */
export function reorderRoles(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, positions: ReorderRoles['positions']): Promise<void> => {
    const { actor: by } = await manageRoles(ports, caller, guildId)
    await execute(ports, caller, guildId, { type: 'ReorderRoles', by, positions })
  }
}

/**
 * Changes the hoist positions of roles, or removes those of all roles. Refuses as Modify role does; the field codes are
 * CANNOT_SET_HOIST_FOR_EVERYONE_ROLE and INVALID_ROLE_ID. See rules/roles-and-permissions#order-roles.
 */
export function reorderHoistedRoles(ports: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    hoistPositions: ReorderHoistedRoles['hoistPositions'],
  ): Promise<void> => {
    const { actor: by } = await manageRoles(ports, caller, guildId)
    await execute(ports, caller, guildId, { type: 'ReorderHoistedRoles', by, hoistPositions })
  }
}

/**
 * Deletes a role below the caller's rank, and removes it from its members. Refuses as Modify role does. See
 * rules/roles-and-permissions#delete-a-role.
 */
export function deleteRole(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, id: RoleId): Promise<void> => {
    const { actor: by } = await manageRoles(ports, caller, guildId)
    await execute(ports, caller, guildId, { type: 'DeleteRole', by, roleId: id })
  }
}

async function manageRoles(ports: Needs, caller: Caller, guildId: GuildId): Promise<GuildAccess> {
  const access = await requireGuild(ports, caller, guildId)
  requirePermission(access, 'MANAGE_ROLES')
  return access
}

function maskWish(caller: Caller, wanted: bigint | null): MaskWish | null {
  return wanted === null ? null : { wanted, undeclared: undeclaredBitsOf(caller) }
}

/** The role as the command left it. Somebody else may have deleted it since. */
async function written(
  ports: Needs,
  caller: Caller,
  guildId: GuildId,
  command: Extract<RoleCommand, { readonly type: 'CreateRole' | 'ChangeRole' }>,
): Promise<RoleObject> {
  const state = await execute(ports, caller, guildId, command)
  const role = state.status === 'active' ? state.roles.find(({ id }) => id === command.roleId) : undefined
  return roleObject(role ?? reject('UNKNOWN_ROLE'), viewerOf(caller))
}

async function execute(
  { aggregates }: Needs,
  caller: Caller,
  guildId: GuildId,
  command: RoleCommand,
): Promise<GuildState> {
  return (await aggregates.guild.execute(guildId, command, caller.context)).state
}
