import type { Channel } from '../../domain/guild/channel.js'
import { needsThreads, viewableChannels, type ChannelGuild } from '../../domain/permissions/viewable-channels.js'
import type { PermissionMember } from '../../domain/permissions/compute-permissions.js'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.js'

/**
 * The channels that a session is told about: those that its member can view; without thread access no forum and media
 * channels.
 */
export function visibleChannels(guild: ChannelGuild, member: PermissionMember, viewer: Viewer): readonly Channel[] {
  return viewableChannels(guild, member, viewer).filter(({ type }) => viewer.threadAccess || !needsThreads(type))
}
