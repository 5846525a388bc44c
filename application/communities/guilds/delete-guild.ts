import { lacking } from '../../../domain/permissions/authority.js'
import type { Guild } from '../../../domain/guild/state.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import { streamName } from '../../../domain/streams.js'
import { requireGuild } from '../../access/guild-access.js'
import type { Caller } from '../../caller.js'
import { eventIdOf, type CommandContext } from '../../commands/command-context.js'
import { followingContext } from '../../commands/following-context.js'
import { reject } from '../../commands/refused.js'
import { releaseCodeOfGuild } from '../invites/codes/custom-codes.js'
import { protectedGuild } from './one-community.js'
import type { Ports } from '../../ports.js'
import { clearAfterGuild } from './clear-after-guild.js'

export type EndingNeeds = Pick<Ports, 'aggregates' | 'images' | 'messages'>
type Needs = EndingNeeds & Pick<Ports, 'deferred' | 'instancePolicies' | 'queries'>

/**
 * Deletes a guild for good; only its owner may. What it leaves outside history is removed afterwards. If the process
 * dies before that, a process manager continues. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * SINGLE_COMMUNITY_CANNOT_DELETE. See rules/guilds#delete.
 */
export function deleteGuild(ports: Needs) {
  const { deferred, aggregates, instancePolicies, queries } = ports
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    const { account, context } = caller
    // The caller cannot reach a guild that it has deleted, so a repeated command is answered here.
    if (await aggregates.guild.findEarlierTry(guildId, 'DeleteGuild', context)) return
    const { guild } = await requireGuild({ queries }, caller, guildId)
    // A bot never satisfies ownership.
    if (account.bot || guild.ownerId !== account.id) reject(lacking('ownership'))
    if ((await protectedGuild({ instancePolicies })) === guildId) reject('SINGLE_COMMUNITY_CANNOT_DELETE')
    for (const follow of await endGuild(ports, guild, context)) deferred.run(follow)
  }
}

/**
 * Deletes a guild in the name of its owner, and gives what remains to be done: a process manager does it if this process dies.
 * Refuses with UNKNOWN_GUILD, and MISSING_PERMISSIONS if the guild has another owner by now.
 */
export async function endGuild(
  ports: EndingNeeds,
  { id: guildId, ownerId, channels, settings }: Guild,
  context: CommandContext,
): Promise<readonly (() => Promise<void>)[]> {
  const { aggregates } = ports
  const command = { type: 'DeleteGuild', by: ownerId } as const
  await aggregates.guild.execute(guildId, command, context)
  const following = followingContext(context, eventIdOf(context, streamName('guild', guildId), command.type, 0))
  const channelIds = channels.map(({ id }) => id)
  return [
    () => clearAfterGuild(ports, { guildId, channelIds }, following),
    () => releaseCodeOfGuild({ aggregates }, guildId, settings.vanityCode, following),
  ]
}
