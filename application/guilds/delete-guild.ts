import type { GuildId } from '../../domain/ids/ids.js'
import { requireGuild } from '../access/guild-access.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { protectedGuild } from '../instance/one-community.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'instancePolicies' | 'queries'>

/**
 * Removes a guild for good; its owner may. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * SINGLE_COMMUNITY_CANNOT_DELETE. Contract: part 1, Delete guild.
 */
export function deleteGuild({ aggregates, instancePolicies, queries }: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    const { account, context } = caller
    const { guild } = await requireGuild({ queries }, caller, guildId)
    // A bot never satisfies ownership.
    if (account.bot || guild.ownerId !== account.id) reject('MISSING_PERMISSIONS')
    if ((await protectedGuild({ instancePolicies })) === guildId) reject('SINGLE_COMMUNITY_CANNOT_DELETE')
    await aggregates.guild.execute(guildId, { type: 'DeleteGuild', by: account.id }, context)
  }
}
