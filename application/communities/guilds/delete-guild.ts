import { lacking } from '../../../domain/permissions/authority.ts'
import type { DeleteGuild } from '../../../domain/guild/commands.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import { requireGuild } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { followingContext } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import { releaseCodeOfGuild } from '../invites/codes/custom-codes.ts'
import { protectedGuild } from './one-community.ts'
import type { Ports } from '../../ports.ts'
import { clearAfterGuild } from './clear-after-guild.ts'

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
    for (const follow of await endGuild(ports, guild, guild.ownerId, context)) deferred.run(follow)
  }
}

/**
 * Deletes a guild, and gives what remains to be done: a process manager does it if this process dies. Refuses with UNKNOWN_GUILD,
 * and MISSING_PERMISSIONS if `by` does not own the guild by then.
 */
export async function endGuild(
  ports: EndingNeeds,
  { id: guildId, channels, settings }: Guild,
  by: DeleteGuild['by'],
  context: CommandContext,
): Promise<readonly (() => Promise<void>)[]> {
  const { aggregates } = ports
  const command = { type: 'DeleteGuild', by } as const
  await aggregates.guild.execute(guildId, command, context)
  const following = followingContext(context, eventIdOf(context, streamName('guild', guildId), command.type, 0))
  const channelIds = channels.map(({ id }) => id)
  return [
    () => clearAfterGuild(ports, { guildId, channelIds }, following),
    () => releaseCodeOfGuild({ aggregates }, guildId, settings.vanityCode, following),
  ]
}
