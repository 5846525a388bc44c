import type { Channel } from '../../domain/guild/channel.ts'
import type { Expressions } from '../../domain/guild-expressions/state.ts'
import type { Link } from './room.ts'

/** The approximate JSON sizes of a guild ready object's parts. */
const bytes = { guild: 1500, role: 300, channel: 450, overwrite: 80, tag: 120, thread: 600, expression: 120 } as const

/** The approximate size of a link's guild as JSON, in bytes. It only counts overwrites: a guild can have very many. */
export function guildBytes({ room: { guild, expressions }, threads }: Link): number {
  const channels_bytes = guild.channels.reduce((sum, channel) => sum + channelBytes(channel), 0)
  const expressions_bytes = expressionsBytes(expressions)
  const roles_bytes = guild.roles.length * bytes.role
  return bytes.guild + roles_bytes + channels_bytes + expressions_bytes + threads.size * bytes.thread
}

function expressionsBytes({ emojis, stickers }: Expressions): number {
  const texts_bytes = stickers.reduce(
    (sum, { description, tags }) => sum + description.length + tags.length * bytes.tag,
    0,
  )
  return (emojis.length + stickers.length) * bytes.expression + texts_bytes
}

function channelBytes({ overwrites, topic, contentWarningText, forum }: Channel): number {
  const texts_bytes = (topic?.length ?? 0) + (contentWarningText?.length ?? 0)
  const tags_bytes = (forum?.availableTags.length ?? 0) * bytes.tag
  return bytes.channel + overwrites.length * bytes.overwrite + texts_bytes + tags_bytes
}
