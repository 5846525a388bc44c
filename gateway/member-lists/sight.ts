import type { Channel } from '../../domain/guild/channel.ts'
import { disabledOperationBits, isUnavailable } from '../../domain/guild/state.ts'
import type { ChannelId } from '../../domain/ids/ids.ts'
import { computePermissions, holds } from '../../domain/permissions/compute-permissions.ts'
import { needsThreads } from '../../domain/permissions/viewable-channels.ts'
import type { Link, Room } from '../visibility/room.ts'

export function channelIn({ guild }: Room, id: ChannelId): Channel | undefined {
  return guild.channels.find((channel) => channel.id === id)
}

/** Whether a guild has lists of members now. */
export function hasLists({ guild }: Room): boolean {
  const isOff = (guild.settings.disabledOperations & disabledOperationBits.MEMBER_LIST_UPDATES) !== 0
  return !isOff && !isUnavailable(guild, false)
}

/** Whether a session may look at the members of a channel (rules/gateway#member-lists). */
export function mayLook({ room, session, member }: Link, channel: Channel): boolean {
  if (needsThreads(channel.type) && !session.threadAccess) return false
  const mask = computePermissions(room.guild, member, channel.overwrites)
  return holds(mask, 'VIEW_CHANNEL', 'VIEW_CHANNEL_MEMBERS')
}
