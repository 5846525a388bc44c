import { channelTypes, type Channel } from '../guild/channel.ts'
import { inHierarchy } from '../guild/channel-order.ts'
import { accountId } from '../ids/ids.ts'
import { computePermissions, holds } from './compute-permissions.ts'
import type { ChannelGuild } from './viewable-channels.ts'

/**
 * The first text channel of a guild, from top to bottom, that the everyone role can view: its custom invite URL leads
 * there. Undefined if there is none.
 */
export function firstTextChannel(guild: ChannelGuild): Channel | undefined {
  // No account has a guild's id, so this is a member without roles and without overwrites.
  const anybody = { accountId: accountId(guild.id), roles: [] }
  return inHierarchy(guild.channels).find(
    ({ type, overwrites }) =>
      type === channelTypes.text && holds(computePermissions(guild, anybody, overwrites), 'VIEW_CHANNEL'),
  )
}
