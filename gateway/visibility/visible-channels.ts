import { channelTypes, type Channel } from '../../domain/guild/channel.js'
import type { Guild } from '../../domain/guild/state.js'
import { computePermissions, holds, type PermissionMember } from '../../domain/permissions/compute-permissions.js'
import type { Viewer } from '../../application/objects/guild-objects.js'

type ChannelGuild = Pick<Guild, 'id' | 'ownerId' | 'roles' | 'channels'>

/**
 * The channels that a member can view (reference gateway 4.8): those with VIEW_CHANNEL, and a category with any visible
 * child. Without thread access there are no forum and media channels, nor a category for their sake (1.7.1).
 */
export function visibleChannels(guild: ChannelGuild, member: PermissionMember, viewer: Viewer): readonly Channel[] {
  const offered = guild.channels.filter(({ type }) => viewer.threadAccess || !needsThreads(type))
  const seen = offered.filter(({ overwrites }) => holds(computePermissions(guild, member, overwrites), 'VIEW_CHANNEL'))
  const shown = new Set(seen.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId])))
  return offered.filter(({ id }) => shown.has(id))
}

/** Whether a channel of this type exists only for clients that understand threads. */
export function needsThreads(type: Channel['type']): boolean {
  return type === channelTypes.forum || type === channelTypes.media
}
