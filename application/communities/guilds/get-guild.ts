import type { Channel } from '../../../domain/guild/channel.js'
import type { Guild } from '../../../domain/guild/state.js'
import type { GuildId } from '../../../domain/ids/ids.js'
import { requireGuild } from '../../access/guild-access.js'
import { viewableChannels } from '../../../domain/permissions/viewable-channels.js'
import { viewerOf, type Caller } from '../../caller.js'
import { lastMessagesOf } from '../channels/channel-views.js'
import { channelObjects, type LastMessages } from '../../wire-objects/communities/channel-objects.js'
import { guildObject, roleObjects, type Viewer } from '../../wire-objects/communities/guild-objects.js'
import type { Ports } from '../../ports.js'

/** Emojis and stickers are not implemented. */
const nothing: readonly never[] = []

type Needs = Pick<Ports, 'messages' | 'queries' | 'presence'>

/**
 * A guild with its roles, which all members see alike, and with the channels that the caller can view. Refuses with UNKNOWN_GUILD,
 * MISSING_ACCESS, MISSING_PERMISSIONS. Contract: part 1, Get guild.
 */
export function getGuild(ports: Needs) {
  return async (caller: Caller, guildId: GuildId) => {
    const { guild, member, memberCount } = await requireGuild(ports, caller, guildId)
    const online = await ports.presence.onlineCounts([guild.id])
    const viewer = viewerOf(caller)
    const channels = viewableChannels(guild, member, viewer)
    const last = await lastMessagesOf(ports.messages, channels)
    const counts = { member_count: memberCount, online_count: online.get(guild.id) ?? 0 }
    return {
      source: guild,
      variant: viewer.threadAccess ? 'guild with threads' : 'guild',
      shared: sharedOf(guild, viewer),
      own: () => ({ channels: channelObjects(channels, guild, viewer, last), ...counts }),
      ownState: ownStateOf(channels, last, counts),
    }
  }
}

/** A channel is the guild's as long as the guild is the same: it is enough to name it. */
function ownStateOf(
  channels: readonly Channel[],
  last: LastMessages,
  counts: { readonly member_count: number; readonly online_count: number },
): string {
  let text = `${counts.member_count} ${counts.online_count}`
  for (const { id } of channels) text += ` ${id} ${last.get(id) ?? ''}`
  return text
}

const sharedOf = (guild: Guild, viewer: Viewer) => () => ({
  ...guildObject(guild),
  roles: roleObjects(guild, viewer),
  emojis: nothing,
  stickers: nothing,
})
