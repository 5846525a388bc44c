import type { GuildId } from '../../../domain/ids/ids.js'
import { streamName } from '../../../domain/kernel/streams.js'
import { requireGuild } from '../../access/guild-access.js'
import type { Caller } from '../../caller.js'
import { eventIdOf } from '../../commands/command-context.js'
import { followingContext } from '../../commands/following-context.js'
import { reject } from '../../commands/refused.js'
import { releaseCodeOfGuild } from '../invites/codes/custom-codes.js'
import { protectedGuild } from './one-community.js'
import type { Ports } from '../../ports.js'
import { clearAfterGuild } from './clear-after-guild.js'

type Needs = Pick<Ports, 'afterwards' | 'aggregates' | 'images' | 'instancePolicies' | 'messages' | 'queries'>

/**
 * Deletes a guild for good; only its owner may. What it leaves outside history is removed afterwards. If the process dies before
 * that, a process manager continues. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * SINGLE_COMMUNITY_CANNOT_DELETE. Contract: part 1, Delete guild.
 */
export function deleteGuild(ports: Needs) {
  const { afterwards, aggregates, instancePolicies, queries } = ports
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    const { account, context } = caller
    // The caller cannot reach a guild that it has deleted, so a repeated command is answered here.
    if (await aggregates.guild.repeated(guildId, 'DeleteGuild', context)) return
    const { guild } = await requireGuild({ queries }, caller, guildId)
    // A bot never satisfies ownership.
    if (account.bot || guild.ownerId !== account.id) reject('MISSING_PERMISSIONS')
    if ((await protectedGuild({ instancePolicies })) === guildId) reject('SINGLE_COMMUNITY_CANNOT_DELETE')
    const command = { type: 'DeleteGuild', by: account.id } as const
    await aggregates.guild.execute(guildId, command, context)
    const following = followingContext(context, eventIdOf(context, streamName('guild', guildId), command.type, 0))
    const channelIds = guild.channels.map(({ id }) => id)
    afterwards.run(() => clearAfterGuild(ports, { guildId, channelIds }, following))
    afterwards.run(() => releaseCodeOfGuild({ aggregates }, guildId, guild.settings.vanityCode, following))
  }
}
