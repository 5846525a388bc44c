import type { Channel } from '../../channel.ts'
import type { ChannelEvent, ChannelsReordered } from '../../channel-events.ts'
import type { Guild } from '../../state.ts'

/** The guild's channels after an event. */
export function evolveChannels(guild: Guild, event: ChannelEvent): Guild {
  switch (event.type) {
    case 'ChannelCreated':
      return { ...guild, channels: [...guild.channels, event.data.channel] }
    case 'ChannelChanged': {
      const { channelId, after } = event.data
      return each(guild, (channel) => (channel.id === channelId ? { ...channel, ...after } : channel))
    }
    case 'ChannelOverwritesChanged': {
      const { channelId, synced, after: overwrites } = event.data
      const written = new Set([channelId, ...synced])
      return each(guild, (channel) => (written.has(channel.id) ? { ...channel, overwrites } : channel))
    }
    case 'ChannelMoved':
      return reordered(guild, { ...event.data, moved: [event.data] })
    case 'ChannelsReordered':
      return reordered(guild, event.data)
    case 'ChannelNamesNormalised': {
      const names = new Map(event.data.names.map(({ channelId, name }) => [channelId, name]))
      return each(guild, (channel) => changed(channel, { name: names.get(channel.id) }))
    }
    case 'ChannelDeleted': {
      const { channel: gone, orphans } = event.data
      const positions = new Map(orphans.map(({ channelId, position }) => [channelId, position]))
      const rest = { ...guild, channels: guild.channels.filter(({ id }) => id !== gone.id) }
      return each(rest, (channel) => {
        const position = positions.get(channel.id)
        return position === undefined ? channel : { ...channel, parentId: null, position }
      })
    }
    case 'ChannelMessagesRemoved':
      return guild
  }
}

function reordered(guild: Guild, { positions, moved }: ChannelsReordered): Guild {
  const position = new Map(positions.map((placed) => [placed.channelId, placed.position]))
  const moves = new Map(moved.map((move) => [move.channelId, move]))
  return each(guild, (channel) => {
    const placed = changed(channel, { position: position.get(channel.id) })
    const move = moves.get(channel.id)
    return move ? { ...placed, parentId: move.parentId, overwrites: move.overwrites ?? placed.overwrites } : placed
  })
}

/** A channel with the given values; the same object if none is given. */
function changed(
  channel: Channel,
  { position, name }: { readonly position?: number | undefined; readonly name?: string | undefined },
): Channel {
  if (position === undefined && name === undefined) return channel
  return { ...channel, position: position ?? channel.position, name: name ?? channel.name }
}

function each(guild: Guild, next: (channel: Channel) => Channel): Guild {
  return { ...guild, channels: guild.channels.map(next) }
}
