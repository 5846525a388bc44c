import { everyoneRoleId, type RoleId } from '../../ids/ids.ts'
import { accept, refuse, refuseWith, type Decision } from '../../kernel/decider.ts'
import { holdsAll, lacking, lackingOf, outranksRole, refusalOf } from '../../permissions/authority.ts'
import type { PermissionMask } from '../../permissions/permission-bits.ts'
import { writtenMask } from '../../permissions/written-mask.ts'
import type { GuildEvent } from '../events.ts'
import type { AddBotRole, ChangeRole, CreateRole, DeleteRole, MaskWish, RoleCommand } from '../role-commands.ts'
import type { RoleEvent } from '../role-events.ts'
import type { Guild, GuildState, Role } from '../state.ts'
import { reorderHoistedRoles, reorderRoles } from './role-positions.ts'
import { differing } from './values.ts'

/**
 * Decides commands about a guild's roles. Checks MANAGE_ROLES, then its second factor, then the role, then the rank:
 * except for the owner, nobody changes a role that they do not rank strictly above, and nobody adds or removes a bit
 * that they lack (rules/roles-and-permissions#change-a-role).
 */
export function decideRoles(state: GuildState, command: RoleCommand): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  if (command.type === 'AddBotRole') return addBotRole(state, command)
  const refusal = refusalOf(state, command.by, 'MANAGE_ROLES')
  if (refusal !== undefined) return refuse(refusal)
  switch (command.type) {
    case 'CreateRole':
      return createRole(state, command)
    case 'ChangeRole':
      return changeRole(state, command)
    case 'ReorderRoles':
      return reorderRoles(state, command)
    case 'ReorderHoistedRoles':
      return reorderHoistedRoles(state, command)
    case 'DeleteRole':
      return deleteRole(state, command)
  }
}

/** An existing role is not created again. Refuses with MAX_GUILD_ROLES. */
function addBotRole(guild: Guild, { role, roles_max }: AddBotRole): Decision<GuildEvent> {
  if (roleOf(guild, role.id)) return accept()
  return withinLimit(guild, role, roles_max)
}

/** At position 1, below the existing roles, which are not renumbered. */
function createRole(guild: Guild, command: CreateRole): Decision<GuildEvent> {
  const { by, roleId: id, name, color, permissions, roles_max } = command
  if (roleOf(guild, id)) return refuse('CONFLICT')
  const given = permissions === null ? everyonesPermissions(guild) : maskWritten(permissions, '0')
  if (!holdsAll(guild, by, BigInt(given))) return refuse(lackingOf(guild, by, BigInt(given)))
  return withinLimit(guild, { ...plainRole, id, name, color, permissions: given, position: 1 }, roles_max)
}

function withinLimit(guild: Guild, role: Role, roles_max: number): Decision<GuildEvent> {
  if (guild.roles.length >= roles_max) return refuseWith('MAX_GUILD_ROLES', { max_guild_roles: roles_max })
  return accept({ type: 'RoleCreated', data: { guildId: guild.id, role } })
}

/** For the everyone role, only color and permissions take effect. The event follows even if nothing differs. */
function changeRole(guild: Guild, { by, roleId, details, permissions }: ChangeRole): Decision<GuildEvent> {
  const role = roleOf(guild, roleId)
  if (!role) return refuse('UNKNOWN_ROLE')
  if (!outranksRole(guild, by, role)) return refuse(lacking('rank'))
  const mask = permissions === null ? role.permissions : maskWritten(permissions, role.permissions)
  const changed = BigInt(role.permissions) ^ BigInt(mask)
  if (!holdsAll(guild, by, changed)) return refuse(lackingOf(guild, by, changed))
  const { color } = details
  const ofEveryone = color === undefined ? {} : { color }
  const effective = roleId === everyoneRoleId(guild.id) ? ofEveryone : details
  const after = differing<Role>({ ...effective, permissions: mask }, role)
  const before = differing<Role>(role, { ...role, ...after })
  return accept({ type: 'RoleChanged', data: { guildId: guild.id, roleId, before, after } })
}

/** The everyone role cannot be deleted: it is UNKNOWN_ROLE, as one that does not exist. */
function deleteRole(guild: Guild, { by, roleId }: DeleteRole): Decision<GuildEvent> {
  const role = roleOf(guild, roleId)
  if (!role || roleId === everyoneRoleId(guild.id)) return refuse('UNKNOWN_ROLE')
  if (!outranksRole(guild, by, role)) return refuse(lacking('rank'))
  return accept({ type: 'RoleDeleted', data: { guildId: guild.id, role } })
}

/** The guild's roles, and everything that refers to them, after an event. */
export function evolveRoles(guild: Guild, event: RoleEvent): Guild {
  switch (event.type) {
    case 'RoleCreated':
      return { ...guild, roles: [...guild.roles, event.data.role] }
    case 'RoleChanged':
      return withRoles(guild, new Map([[event.data.roleId, event.data.after]]))
    case 'RolesReordered':
      return withRoles(guild, new Map(event.data.roles.map(({ roleId, after }) => [roleId, after])))
    case 'RoleDeleted':
      return withoutRole(guild, event.data.role.id)
  }
}

function withRoles(guild: Guild, changes: ReadonlyMap<RoleId, Partial<Role>>): Guild {
  return { ...guild, roles: guild.roles.map((role) => ({ ...role, ...changes.get(role.id) })) }
}

/** Its overwrites are removed too. Its members no longer hold it, because it does not exist. */
function withoutRole(guild: Guild, id: RoleId): Guild {
  const channels = guild.channels.map((channel) =>
    channel.overwrites.some((overwrite) => overwrite.type === 0 && overwrite.id === id)
      ? { ...channel, overwrites: channel.overwrites.filter((one) => one.type !== 0 || one.id !== id) }
      : channel,
  )
  return { ...guild, roles: guild.roles.filter((role) => role.id !== id), channels }
}

function roleOf({ roles }: Guild, id: RoleId): Role | undefined {
  return roles.find((role) => role.id === id)
}

function everyonesPermissions(guild: Guild): PermissionMask {
  return roleOf(guild, everyoneRoleId(guild.id))?.permissions ?? '0'
}

function maskWritten({ wanted, undeclared }: MaskWish, stored: PermissionMask): PermissionMask {
  return writtenMask(wanted, BigInt(stored), undeclared).toString()
}

/** Whether the actor holds every bit in which two masks differ. */
/** The default attributes of a role. */
const plainRole = { hoist: false, hoistPosition: null, mentionable: false, unicodeEmoji: null } as const
