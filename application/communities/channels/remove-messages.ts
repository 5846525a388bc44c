import type { ChannelDeleted } from '../../../domain/guild/channel-events.ts'
import type { GuildDeleted } from '../../../domain/guild/events.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'messages'>

/**
 * Permanently deletes the messages of a deleted channel, and records that this is done. Safe to repeat. Leaves a channel alone that
 * a rewind has brought back: that deleted its messages before.
 */
export async function removeMessagesOfChannel(
  { aggregates, messages }: Needs,
  { guildId, channel }: Pick<ChannelDeleted, 'guildId'> & { readonly channel: Pick<ChannelDeleted['channel'], 'id'> },
  context: CommandContext,
): Promise<void> {
  const { state } = await aggregates.guild.load(guildId)
  if (state.status === 'active' && state.channels.some(({ id }) => id === channel.id)) return
  const channelIds = [channel.id]
  await messages.removeChannels(channelIds)
  const note = { type: 'NoteMessagesRemoved', channelIds, ofGuild: false } as const
  await aggregates.guild.execute(guildId, note, context)
}

/** The same for all channels of a deleted guild. */
export async function removeMessagesOfGuild(
  { aggregates, messages }: Needs,
  { guildId, channelIds }: Pick<GuildDeleted, 'guildId' | 'channelIds'>,
  context: CommandContext,
): Promise<void> {
  if (channelIds.length > 0) await messages.removeChannels(channelIds)
  await aggregates.guild.execute(guildId, { type: 'NoteMessagesRemoved', channelIds, ofGuild: true }, context)
}
