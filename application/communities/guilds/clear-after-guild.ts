import type { GuildDeleted } from '../../../domain/guild/events.js'
import { removeMessagesOfGuild } from '../channels/remove-messages.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { Ports } from '../../ports.js'

export type ClearingNeeds = Pick<Ports, 'aggregates' | 'images' | 'messages'>

/**
 * Removes for good what a guild that is no more has left beside history: its images, and what was written in its channels. Its
 * threads end by themselves (`tendThreads`), and what the read models hold of it goes with its event. Safe to repeat: that it is
 * done is noted last.
 */
export async function clearAfterGuild(
  ports: ClearingNeeds,
  deleted: Pick<GuildDeleted, 'guildId' | 'channelIds'>,
  context: CommandContext,
): Promise<void> {
  await ports.images.removeAllOf(deleted.guildId)
  await removeMessagesOfGuild(ports, deleted, context)
}
