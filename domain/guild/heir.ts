import type { AccountId } from '../ids/ids.ts'
import { compareSnowflakes } from '../ids/snowflake.ts'
import { msOf, type Timestamp } from '../kernel/timestamp.ts'
import { highestRole, type AuthorityGuild } from '../permissions/authority.ts'
import { computePermissions, holds, type PermissionMember } from '../permissions/compute-permissions.ts'

/** A human member who may get a guild whose owner is erased. */
export interface HeirCandidate extends PermissionMember {
  readonly accountId: AccountId
  readonly joinedAt: Timestamp
  /** Whether the deletion of this account is pending too. */
  readonly leaves: boolean
}

/**
 * Negative if `a` comes before `b` as the next owner: holders of MANAGE_GUILD first, then by the position of the highest role,
 * then by the time of joining. Whoever leaves as well comes after all who stay.
 */
export function compareHeirs(guild: AuthorityGuild, a: HeirCandidate, b: HeirCandidate): number {
  return (
    Number(a.leaves) - Number(b.leaves) ||
    Number(managesGuild(guild, b)) - Number(managesGuild(guild, a)) ||
    highestPosition(guild, b) - highestPosition(guild, a) ||
    msOf(a.joinedAt) - msOf(b.joinedAt) ||
    compareSnowflakes(a.accountId, b.accountId)
  )
}

function managesGuild(guild: AuthorityGuild, member: PermissionMember): boolean {
  return holds(computePermissions(guild, member), 'MANAGE_GUILD')
}

/** 0 for a member without roles, as for the everyone role. */
function highestPosition(guild: AuthorityGuild, member: PermissionMember): number {
  return highestRole(guild, member)?.position ?? 0
}
