import type { RoleId } from '../ids/ids.js'

/**
 * The roles of a member that the guild has. A role that is deleted leaves its members without an event for each of them: their
 * memberships go on naming it, and whoever shows a member's roles leaves it out (docs/decisions, Deleted roles).
 */
export function heldRoles<Member extends { readonly roles: readonly RoleId[] }>(
  { roles }: { readonly roles: readonly { readonly id: RoleId }[] },
  member: Member,
): Member {
  const standing = new Set(roles.map(({ id }) => id))
  return member.roles.every((id) => standing.has(id))
    ? member
    : { ...member, roles: member.roles.filter((id) => standing.has(id)) }
}
