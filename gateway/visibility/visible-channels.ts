import type { Channel } from '../../domain/guild/channel.ts'
import { needsThreads, viewableChannels, type ChannelGuild } from '../../domain/permissions/viewable-channels.ts'
import type { PermissionMember } from '../../domain/permissions/compute-permissions.ts'
import type { Viewer } from '../../application/wire-objects/communities/guild-objects.ts'

/**
 * The channels that a session is told about: those that its member can view; without thread access no forum and media
 * channels.
 */
export function visibleChannels(guild: ChannelGuild, member: PermissionMember, viewer: Viewer): readonly Channel[] {
  return viewableChannels(guild, member, viewer).filter(({ type }) => viewer.threadAccess || !needsThreads(type))
}
