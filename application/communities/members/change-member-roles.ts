import { everyoneRoleId, membershipId, type AccountId, type GuildId, type RoleId } from '../../../domain/ids/ids.ts'
import { holdsAll, lacking, lackingOf, outranksRole } from '../../../domain/permissions/authority.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { requireRankAbove, requireTarget } from './guild-member.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/** One role of one member. */
export interface HeldRole {
  readonly guildId: GuildId
  readonly targetId: AccountId
  readonly roleId: RoleId
}

/** Gives a member a role; see `changeMemberRole`. */
export function addMemberRole(ports: Needs) {
  return changeMemberRole(ports, 'AddMemberRole')
}

/** Takes a role from a member; see `changeMemberRole`. */
export function removeMemberRole(ports: Needs) {
  return changeMemberRole(ports, 'RemoveMemberRole')
}

/**
 * Adds a role to a member, or removes it; does nothing if that is so already. Refuses, in this order: UNKNOWN_GUILD,
 * MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, UNKNOWN_MEMBER; for the everyone role or a role that the
 * guild does not have, UNKNOWN_ROLE to the owner and MISSING_PERMISSIONS to others; MISSING_PERMISSIONS if the caller
 * does not rank above the role and (except for itself) above the member, or if it would grant a bit that it lacks. See
 * rules/roles-and-permissions#give-and-take.
 */
function changeMemberRole(ports: Needs, type: 'AddMemberRole' | 'RemoveMemberRole') {
  return async (caller: Caller, { guildId, targetId, roleId }: HeldRole): Promise<void> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_ROLES')
    const target = await requireTarget(ports, access, targetId)
    const { guild, actor } = access
    const role = guild.roles.find(({ id }) => id === roleId && id !== everyoneRoleId(guildId))
    if (!role) return reject(actor.accountId === guild.ownerId ? 'UNKNOWN_ROLE' : lacking('rank'))
    if (!outranksRole(guild, actor, role)) reject(lacking('rank'))
    requireRankAbove(access, target)
    const granted = type === 'AddMemberRole' ? BigInt(role.permissions) : 0n
    if (!holdsAll(guild, actor, granted)) reject(lackingOf(guild, actor, granted))
    await ports.aggregates.membership.execute(membershipId(guildId, targetId), { type, roleId }, caller.context)
  }
}
