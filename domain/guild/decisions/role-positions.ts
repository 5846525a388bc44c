import { everyoneRoleId, type RoleId } from '../../ids/ids.ts'
import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import type { FieldCode } from '../../kernel/field-codes.ts'
import { field } from '../../kernel/refusal.ts'
import { compareRanks, lacking, outranksRole } from '../../permissions/authority.ts'
import type { GuildEvent } from '../events.ts'
import type { ReorderHoistedRoles, ReorderRoles } from '../role-commands.ts'
import type { RolesReordered } from '../role-events.ts'
import type { Guild, Role } from '../state.ts'
import { inWantedOrder, movedBetween } from './role-order.ts'

/**
 * Reorders roles and numbers all of them densely from 1. A role that the mover does not rank above cannot be given
 * another position (MISSING_PERMISSIONS), and keeps its position whatever happens to the others. The field codes are
 * CANNOT_REORDER_EVERYONE_ROLE and INVALID_ROLE_ID. The everyone role may be named with the position 0, which it has: some
 * clients send all roles.
 */
export function reorderRoles(guild: Guild, { by, positions }: ReorderRoles): Decision<GuildEvent> {
  const misnamed = misnamedRoles(guild, positions, 'CANNOT_REORDER_EVERYONE_ROLE', ({ position }) => position === 0)
  if (misnamed.length > 0) return refuse('INVALID_FORM_BODY', ...misnamed)
  const movable = guild.roles.filter(({ id }) => id !== everyoneRoleId(guild.id))
  const wanted = wantedIn(positions)
  const isBeyondReach = (role: Role): boolean =>
    (wanted.get(role.id) ?? role.position) !== role.position && !outranksRole(guild, by, role)
  if (movable.some(isBeyondReach)) return refuse(lacking('rank'))
  const before = movable.toSorted(compareRanks)
  const after = inWantedOrder(movable, wanted, (role) => outranksRole(guild, by, role))
  const positionIn = (role: Role): number => after.length - after.indexOf(role)
  const inertia = (role: Role): number => (positionIn(role) === role.position ? 2 : 0) + (wanted.has(role.id) ? 0 : 1)
  const moved = movedBetween(before, after, inertia)
  const roles = after.flatMap((role, index): RolesReordered['roles'] => {
    const position = after.length - index
    if (position === role.position) return []
    return [{ roleId: role.id, moved: moved.has(role), before: { position: role.position }, after: { position } }]
  })
  return reordered(guild, roles)
}

/**
 * Changes the hoist positions of roles, or removes all of them. The field codes are CANNOT_SET_HOIST_FOR_EVERYONE_ROLE
 * and INVALID_ROLE_ID. A role that the actor does not rank above must keep its position: else MISSING_PERMISSIONS.
 */
export function reorderHoistedRoles(guild: Guild, { by, hoistPositions }: ReorderHoistedRoles): Decision<GuildEvent> {
  const named = hoistPositions === 'none' ? [] : hoistPositions
  const misnamed = misnamedRoles(guild, named, 'CANNOT_SET_HOIST_FOR_EVERYONE_ROLE')
  if (misnamed.length > 0) return refuse('INVALID_FORM_BODY', ...misnamed)
  const chosen = new Map(named.map(({ roleId, hoistPosition }) => [roleId, hoistPosition]))
  const wanted = ({ id, hoistPosition }: Role): number | null => {
    if (hoistPositions === 'none') return null
    return chosen.has(id) ? (chosen.get(id) ?? null) : hoistPosition
  }
  const changing = guild.roles.filter((role) => wanted(role) !== role.hoistPosition)
  if (changing.some((role) => !outranksRole(guild, by, role))) return refuse(lacking('rank'))
  const roles = changing.map((role) => ({
    roleId: role.id,
    moved: true,
    before: { hoistPosition: role.hoistPosition },
    after: { hoistPosition: wanted(role) },
  }))
  return reordered(guild, roles)
}

function wantedIn(positions: ReorderRoles['positions']): ReadonlyMap<RoleId, number> {
  const wanted = new Map<RoleId, number>()
  for (const { roleId, position } of positions) if (position !== null) wanted.set(roleId, position)
  return wanted
}

function reordered({ id }: Guild, roles: RolesReordered['roles']): Decision<GuildEvent> {
  return roles.length === 0 ? accept() : accept({ type: 'RolesReordered', data: { guildId: id, roles } })
}

/** The entries that name the everyone role, unless it may stay as it is, or a role that the guild does not have. */
function misnamedRoles<Named extends { readonly roleId: RoleId }>(
  guild: Guild,
  named: readonly Named[],
  ofEveryone: FieldCode,
  staysAsItIs: (named: Named) => boolean = () => false,
) {
  const known = new Set(guild.roles.map(({ id }) => id))
  return named.flatMap((one, index) => {
    if (one.roleId === everyoneRoleId(guild.id)) return staysAsItIs(one) ? [] : [field(`${index}.id`, ofEveryone)]
    return known.has(one.roleId) ? [] : [field(`${index}.id`, 'INVALID_ROLE_ID')]
  })
}
