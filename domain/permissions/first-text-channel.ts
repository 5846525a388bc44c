import { channelTypes, type Channel } from '../guild/channel.js'
import { inHierarchy } from '../guild/channel-order.js'
import type { Guild } from '../guild/state.js'
import { accountId } from '../ids/ids.js'
import { computePermissions, holds } from './compute-permissions.js'

/**
 * The first text channel of a guild, from top to bottom, that the default role can view: where its custom invite URL leads
 * (contract part 1, Custom invite URL). Undefined where there is none.
 */
export function firstTextChannel(guild: Guild): Channel | undefined {
  // Nobody's account has the id of a guild: a member without roles, and without overwrites of its own.
  const anybody = { accountId: accountId(guild.id), roles: [] }
  return inHierarchy(guild.channels).find(
    ({ type, overwrites }) =>
      type === channelTypes.text && holds(computePermissions(guild, anybody, overwrites), 'VIEW_CHANNEL'),
  )
}
