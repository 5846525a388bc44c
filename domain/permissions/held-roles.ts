import type { RoleId } from '../ids/ids.ts'

/**
 * Those roles of a member that still exist. Deleting a role writes no event for each member: their memberships still name it, and
 * everything that shows a member's roles leaves it out (docs/decisions, Deleted roles).
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
