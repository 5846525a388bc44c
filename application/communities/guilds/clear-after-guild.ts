import type { GuildDeleted } from '../../../domain/guild/events.ts'
import { removeMessagesOfGuild } from '../channels/remove-messages.ts'
import { dropApplication } from '../discovery/settle-listing.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

export type ClearingNeeds = Pick<Ports, 'aggregates' | 'images' | 'messages'>

/**
 * Ends the guild's application to the directory and its emojis and stickers, and permanently removes what a deleted guild has left outside history: its images
 * and the messages of its channels. Its threads end by themselves (`tendThreads`), and the read models drop the guild with its
 * event. Safe to repeat: the record that it is done comes last.
 */
export async function clearAfterGuild(
  ports: ClearingNeeds,
  deleted: Pick<GuildDeleted, 'guildId' | 'channelIds'>,
  context: CommandContext,
): Promise<void> {
  const { guildId } = deleted
  await dropApplication(ports, guildId, context)
  await ports.aggregates.guildExpressions.execute(guildId, { type: 'DropExpressions', guildId }, context)
  await ports.images.removeAllOf(guildId)
  await removeMessagesOfGuild(ports, deleted, context)
}
