import type { GuildId } from '../../domain/ids/ids.js'
import { requireGuild } from '../access/guild-access.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/**
 * Removes a guild for good; its owner may. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS.
 * Contract: part 1, Delete guild.
 */
export function deleteGuild({ aggregates, queries }: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    const { account, context } = caller
    await requireGuild({ queries }, caller, guildId)
    // A bot never satisfies ownership.
    if (account.bot) reject('MISSING_PERMISSIONS')
    await aggregates.guild.execute(guildId, { type: 'DeleteGuild', by: account.id }, context)
  }
}
