import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import { lacking, outranksMember } from '../../../domain/permissions/authority.ts'
import { holdingMembership } from '../../access/holding-membership.ts'
import type { GuildAccess } from '../../access/guild-access.ts'
import { reject } from '../../commands/refused.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { memberObject, type MemberObject } from '../../wire-objects/communities/member-objects.ts'
import type { Ports } from '../../ports.ts'
import type { Caller } from '../../caller.ts'

/** The target member. Refuses with 404 UNKNOWN_MEMBER for an account that is not a member of the guild. */
export async function requireTarget(
  { queries }: Pick<Ports, 'queries'>,
  { guild, member }: GuildAccess,
  targetId: AccountId,
): Promise<Membership> {
  if (targetId === member.accountId) return member
  return (await queries.members.find(guild.id, targetId)) ?? reject('UNKNOWN_MEMBER')
}

/**
 * Demands that the caller ranks strictly above a member, or is that member: else MISSING_PERMISSIONS. Nobody ranks
 * above the owner (rules/roles-and-permissions#rank). The ranks come from the read model: roles and memberships are
 * separate streams, so no append could cover both. What counts is the caller's rank when the request arrived.
 */
export function requireRankAbove({ guild, actor }: GuildAccess, target: Membership): void {
  if (target.accountId !== actor.accountId && !outranksMember(guild, actor, target)) reject(lacking('rank'))
}

/** The current object of a member. */
export async function memberView(
  { queries }: Pick<Ports, 'queries'>,
  { context }: Caller,
  member: Membership,
): Promise<MemberObject> {
  const account = await queries.accounts.find(member.accountId)
  return memberObject(member, account ?? deletedAccount(member.accountId), context.now)
}

/**
 * Runs `act`, which ends a membership, while nobody can make its account the owner of the guild. Refuses for the owner's
 * membership with the given code.
 */
export async function whileNotOwner<Result>(
  ports: Pick<Ports, 'aggregates' | 'locks'>,
  id: GuildId,
  target: {
    readonly accountId: AccountId
    readonly refusal: 'UNKNOWN_MEMBER' | 'MISSING_PERMISSIONS' | 'CANNOT_LEAVE_GUILD_AS_OWNER'
  },
  act: (membership: string) => Promise<Result>,
): Promise<Result> {
  return holdingMembership(ports, id, target.accountId, async () => {
    const { state } = await ports.aggregates.guild.load(id)
    if (state.status === 'active' && state.ownerId === target.accountId) refuseOwner(target.refusal)
    return act(membershipId(id, target.accountId))
  })
}

function refuseOwner(by: 'UNKNOWN_MEMBER' | 'MISSING_PERMISSIONS' | 'CANNOT_LEAVE_GUILD_AS_OWNER'): never {
  if (by === 'CANNOT_LEAVE_GUILD_AS_OWNER') return reject('INVALID_FORM_BODY', field('user_id', by))
  return reject(by === 'MISSING_PERMISSIONS' ? lacking('rank') : by)
}
