import { channelTypes, type Channel } from '../guild/channel.ts'
import {
  computePermissions,
  holds,
  permissionsOf,
  type PermissionGuild,
  type PermissionMember,
} from './compute-permissions.ts'

/** The parts of a guild that the rule uses. */
export type ChannelGuild = PermissionGuild & { readonly channels: readonly Channel[] }

/** What the client declares: without thread access it does not know forum and media channels. */
export interface ChannelViewer {
  readonly threadAccess: boolean
}

/**
 * The channels that a member can view: those with VIEW_CHANNEL, and categories with a viewable child. They include
 * forum and media channels for every viewer, but without thread access these do not make their category viewable
 * (rules/channels#sight).
 */
export function viewableChannels(
  guild: ChannelGuild,
  member: PermissionMember,
  viewer: ChannelViewer,
): readonly Channel[] {
  const permissionsIn = permissionsOf(guild, member)
  const viewed = guild.channels.filter(({ overwrites }) => holds(permissionsIn(overwrites), 'VIEW_CHANNEL'))
  const shown = new Set(viewed.map(({ id }) => id))
  for (const { parentId, type } of viewed) {
    if (parentId !== null && (viewer.threadAccess || !needsThreads(type))) shown.add(parentId)
  }
  return guild.channels.filter(({ id }) => shown.has(id))
}

/** Whether a member can view one channel, by the same rule. Only a category depends on other channels. */
export function canView(
  guild: ChannelGuild,
  member: PermissionMember,
  channel: Channel,
  viewer: ChannelViewer,
): boolean {
  if (holds(computePermissions(guild, member, channel.overwrites), 'VIEW_CHANNEL')) return true
  const isCategory = channel.type === channelTypes.category
  return isCategory && viewableChannels(guild, member, viewer).some(({ id }) => id === channel.id)
}

/** Whether a channel of this type exists only for clients that understand threads. */
export function needsThreads(type: Channel['type']): boolean {
  return type === channelTypes.forum || type === channelTypes.media
}
