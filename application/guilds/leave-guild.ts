import { membershipId, type GuildId } from '../../domain/ids/ids.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { protectedGuild } from '../instance/one-community.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'instancePolicies' | 'queries'>

/**
 * Ends the caller's membership; an unavailable guild can be left too. Refuses with UNKNOWN_MEMBER who is none, whether or not
 * the guild exists, the owner with INVALID_FORM_BODY, and others with SINGLE_COMMUNITY_CANNOT_LEAVE. Where messages are to be deleted first, who is no member gets
 * UNKNOWN_GUILD or MISSING_PERMISSIONS, and then `proveSudo` refuses who is not proved; there are no messages yet. Contract:
 * part 1, Leave guild.
 */
export function leaveGuild({ aggregates, instancePolicies, queries }: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    deleteMessages: boolean,
    proveSudo: () => Promise<void>,
  ): Promise<void> => {
    const { account, context } = caller
    const found = await queries.guilds.findFor(guildId, account.id)
    if (deleteMessages && !found) return reject('UNKNOWN_GUILD')
    if (deleteMessages && !found?.member) return reject('MISSING_PERMISSIONS')
    if (!found?.member) return reject('UNKNOWN_MEMBER')
    if (deleteMessages) await proveSudo()
    const isOwner = found.guild.ownerId === account.id
    const isProtected = !isOwner && (await protectedGuild({ instancePolicies })) === guildId
    if (isProtected) return reject('SINGLE_COMMUNITY_CANNOT_LEAVE')
    const leave = { type: 'LeaveGuild', guildId, isOwner } as const
    await aggregates.membership.execute(membershipId(guildId, account.id), leave, context)
  }
}
