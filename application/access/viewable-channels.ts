import { channelTypes, type Channel } from '../../domain/guild/channel.js'
import type { Guild } from '../../domain/guild/state.js'
import { computePermissions, holds, type PermissionMember } from '../../domain/permissions/compute-permissions.js'
import type { Viewer } from '../objects/guild-objects.js'

/**
 * The channels that a member can view (reference gateway 4.8): those with VIEW_CHANNEL, and a category with any child that can
 * be viewed. Over HTTP forum and media channels are there for every caller (contract part 1, Guild object), though without
 * thread access they do not make their category show.
 */
export function viewableChannels(guild: Guild, member: PermissionMember, viewer: Viewer): readonly Channel[] {
  const viewed = guild.channels.filter(({ overwrites }) =>
    holds(computePermissions(guild, member, overwrites), 'VIEW_CHANNEL'),
  )
  const shown = new Set(viewed.map(({ id }) => id))
  for (const { parentId, type } of viewed) {
    if (parentId !== null && (viewer.threadAccess || !needsThreads(type))) shown.add(parentId)
  }
  return guild.channels.filter(({ id }) => shown.has(id))
}

function needsThreads(type: Channel['type']): boolean {
  return type === channelTypes.forum || type === channelTypes.media
}
