import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { requireRankAbove, requireTarget, whileNotOwner } from './guild-member.ts'

type Needs = Pick<Ports, 'aggregates' | 'locks' | 'queries'>

/**
 * Ends another account's membership. Refuses, in this order: UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * TWO_FACTOR_REQUIRED; UNKNOWN_MEMBER for the caller itself, the owner and accounts that are not members;
 * MISSING_PERMISSIONS for a member that the caller does not rank above. See rules/members#kick.
 */
export function kickMember(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, targetId: AccountId): Promise<void> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'KICK_MEMBERS')
    if (targetId === caller.account.id || targetId === access.guild.ownerId) reject('UNKNOWN_MEMBER')
    requireRankAbove(access, await requireTarget(ports, access, targetId))
    await whileNotOwner(ports, guildId, { accountId: targetId, refusal: 'UNKNOWN_MEMBER' }, (membership) =>
      ports.aggregates.membership.execute(membership, { type: 'KickMember', now: caller.context.now }, caller.context),
    )
  }
}
