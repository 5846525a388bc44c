import type { Channel } from '../../domain/guild/channel.ts'
import type { Link } from './room.ts'

/** The approximate JSON sizes of a guild ready object's parts. */
const bytes = { guild: 1500, role: 250, channel: 450, overwrite: 80, tag: 120, thread: 600 } as const

/** The approximate size of a link's guild as JSON, in bytes. It only counts overwrites: a guild can have very many. */
export function guildBytes({ room: { guild }, threads }: Link): number {
  const channels_bytes = guild.channels.reduce((sum, channel) => sum + channelBytes(channel), 0)
  return bytes.guild + guild.roles.length * bytes.role + channels_bytes + threads.size * bytes.thread
}

function channelBytes({ overwrites, topic, contentWarningText, forum }: Channel): number {
  const texts_bytes = (topic?.length ?? 0) + (contentWarningText?.length ?? 0)
  const tags_bytes = (forum?.availableTags.length ?? 0) * bytes.tag
  return bytes.channel + overwrites.length * bytes.overwrite + texts_bytes + tags_bytes
}
