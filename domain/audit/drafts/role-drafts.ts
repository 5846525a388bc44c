import type { RoleEvent } from '../../guild/role-events.ts'
import type { Role } from '../../guild/state.ts'
import { everyoneRoleId } from '../../ids/ids.ts'
import { permissionBits, type PermissionMask } from '../../permissions/permission-bits.ts'
import { auditActions } from '../audit-actions.ts'
import { changed, created, deleted, type AuditChange, type AuditValue, type DraftsOf } from '../audit-entry.ts'

/**
 * Roles. Everyone's role comes with the guild, which nobody has to be told of; a write that changed nothing has no
 * entry, and neither has a role that only made way for others.
 */
export const roleDrafts: DraftsOf<RoleEvent> = {
  RoleCreated: ({ guildId, role, founding }) => {
    if (founding === true || role.id === everyoneRoleId(guildId)) return []
    const changes = created({ role_id: role.id, ...roleValues(role) })
    return [{ guildId, actionType: auditActions.ROLE_CREATE, targetId: role.id, options: {}, changes }]
  },
  RoleChanged: ({ guildId, roleId, before, after }) => {
    const changes = [...changed(roleValues(before), roleValues(after)), ...permissionsDiff(before, after)]
    if (changes.length === 0) return []
    return [{ guildId, actionType: auditActions.ROLE_UPDATE, targetId: roleId, options: {}, changes }]
  },
  RolesReordered: ({ guildId, roles }) =>
    roles
      .filter(({ moved }) => moved)
      .map(({ roleId, before, after }) => {
        const changes = changed(roleValues(before), roleValues(after))
        return { guildId, actionType: auditActions.ROLE_UPDATE, targetId: roleId, options: {}, changes }
      }),
  RoleDeleted: ({ guildId, role }) => {
    const changes = deleted({ role_id: role.id, ...roleValues(role) })
    return [{ guildId, actionType: auditActions.ROLE_DELETE, targetId: role.id, options: {}, changes }]
  },
}

/** The given members of a role, by the keys of the audit log. */
function roleValues({
  hoistPosition,
  unicodeEmoji,
  id: _,
  ...values
}: Partial<Role>): Readonly<Record<string, AuditValue>> {
  return {
    ...values,
    ...(hoistPosition === undefined ? {} : { hoist_position: hoistPosition }),
    ...(unicodeEmoji === undefined ? {} : { unicode_emoji: unicodeEmoji }),
  }
}

/** The names of the permissions that were added and removed, in addition to the masks. */
function permissionsDiff(before: Partial<Role>, after: Partial<Role>): readonly AuditChange[] {
  if (before.permissions === undefined || after.permissions === undefined) return []
  const added = without(after.permissions, before.permissions)
  const removed = without(before.permissions, after.permissions)
  return [{ key: 'permissions_diff', new_value: { added, removed } }]
}

function without(mask: PermissionMask, other: PermissionMask): readonly string[] {
  const bits = BigInt(mask) & ~BigInt(other)
  return Object.entries(permissionBits).flatMap(([name, bit]) => ((bits & bit) === 0n ? [] : [name]))
}
