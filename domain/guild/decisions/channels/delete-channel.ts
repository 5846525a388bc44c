import { accept, refuse, type Decision } from '../../../kernel/decider.ts'
import { refusalOf } from '../../../permissions/authority.ts'
import type { Channel } from '../../channel.ts'
import type { DeleteChannel, NoteMessagesRemoved } from '../../channel-commands.ts'
import { positionBelow, siblingsIn } from '../../channel-order.ts'
import type { GuildEvent } from '../../events.ts'
import type { Guild, GuildSettings, GuildState } from '../../state.ts'

/**
 * Deletes a channel. Its channels move to the root, below the others, and the guild's references to it are cleared.
 * Refuses with UNKNOWN_CHANNEL; MISSING_PERMISSIONS or TWO_FACTOR_REQUIRED without MANAGE_CHANNELS in it.
 */
export function deleteChannel(state: GuildState, { by, channelId }: DeleteChannel): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const channel = state.channels.find(({ id }) => id === channelId)
  if (!channel) return refuse('UNKNOWN_CHANNEL')
  const missing = refusalOf(state, by, 'MANAGE_CHANNELS', channel.overwrites)
  if (missing) return refuse(missing)
  return accept(...deletionOf(state, channel))
}

/** The deletion of a channel, and what it clears of the settings. */
export function deletionOf(guild: Guild, channel: Channel): readonly GuildEvent[] {
  const { id: guildId, channels } = guild
  const top = positionBelow(channels, null)
  const orphans = siblingsIn(channels, channel.id).map(({ id }, index) => ({ channelId: id, position: top + index }))
  const deleted: GuildEvent = { type: 'ChannelDeleted', data: { guildId, channel, orphans } }
  const settings = withoutReferences(guild, channel)
  if (Object.keys(settings).length === 0) return [deleted]
  return [deleted, { type: 'GuildSettingsChanged', data: { guildId, settings } }]
}

function withoutReferences({ settings }: Guild, { id }: Channel): Partial<GuildSettings> {
  return {
    ...(settings.systemChannelId === id ? { systemChannelId: null } : {}),
    ...(settings.rulesChannelId === id ? { rulesChannelId: null } : {}),
    ...(settings.afkChannelId === id ? { afkChannelId: null } : {}),
  }
}

/** Records that the messages of deleted channels were removed; ignores channels that still exist. */
export function noteMessagesRemoved(
  state: GuildState,
  { channelIds, ofGuild }: NoteMessagesRemoved,
): Decision<GuildEvent> {
  if (state.status === 'absent') return refuse('UNKNOWN_GUILD')
  const channels = state.status === 'active' ? state.channels : []
  if (channels.some(({ id }) => channelIds.includes(id))) return refuse('CONFLICT')
  return accept({ type: 'ChannelMessagesRemoved', data: { guildId: state.id, channelIds, ofGuild } })
}
