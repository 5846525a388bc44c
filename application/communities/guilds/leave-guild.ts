import { lacking } from '../../../domain/permissions/authority.ts'
import { membershipId, type GuildId } from '../../../domain/ids/ids.ts'
import { holdingMembership } from '../../access/holding-membership.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { protectedGuild } from './one-community.ts'
import { removeOwnMessages } from '../../conversations/messages/delete-own-messages.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'instancePolicies' | 'locks' | 'messages' | 'queries'>

/**
 * Ends the caller's membership, also in an unavailable guild. Refuses in this order: callers who are not members with
 * UNKNOWN_MEMBER, whether or not the guild exists, or with UNKNOWN_GUILD or MISSING_PERMISSIONS instead if messages are
 * to be deleted; the owner with INVALID_FORM_BODY; SINGLE_COMMUNITY_CANNOT_LEAVE; and, if messages are to be deleted,
 * `proveSudo` refuses callers without a sudo proof (decision 42). All messages that the caller wrote there are deleted
 * before the membership ends. See rules/members#leave.
 */
export function leaveGuild(ports: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    deleteMessages: boolean,
    proveSudo: () => Promise<void>,
  ): Promise<void> => {
    const { aggregates, instancePolicies, queries } = ports
    const { account, context } = caller
    const found = await queries.guilds.findFor(guildId, account.id)
    if (deleteMessages && !found) return reject('UNKNOWN_GUILD')
    if (deleteMessages && !found?.member) return reject(lacking('membership'))
    if (!found?.member) return reject('UNKNOWN_MEMBER')
    if (found.guild.ownerId === account.id)
      return reject('INVALID_FORM_BODY', field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    if ((await protectedGuild({ instancePolicies })) === guildId) return reject('SINGLE_COMMUNITY_CANNOT_LEAVE')
    if (deleteMessages) {
      await proveSudo()
      await removeOwnMessages(ports, caller, found.guild)
    }
    await holdingMembership(ports, guildId, account.id, async () => {
      // The caller may have become the owner since.
      const { state } = await aggregates.guild.load(guildId)
      const ownsNow = state.status === 'active' && state.ownerId === account.id
      const leave = { type: 'LeaveGuild', guildId, isOwner: ownsNow, now: context.now } as const
      await aggregates.membership.execute(membershipId(guildId, account.id), leave, context)
    })
  }
}
