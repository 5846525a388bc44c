import type { GuildId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import { viewableChannels } from '../../../domain/permissions/viewable-channels.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { channelViews } from '../../conversations/channel-views.ts'
import { emojiObject, stickersIn } from '../../wire-objects/communities/expression-objects.ts'
import { guildObject, partialGuildObject, roleObjects } from '../../wire-objects/communities/guild-objects.ts'
import {
  fullGuildSchema,
  guildPreviewSchema,
  type FullGuildObject,
  type GuildPreviewObject,
} from '../../wire-objects/communities/full-guild-objects.ts'
import { objectOf } from '../../wire-objects/declaration.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'messages' | 'queries' | 'presence'>

/**
 * A guild with its roles, emojis and stickers, which all members see alike, and with the channels that the caller can view. Refuses with
 * UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS. See rules/guilds#read.
 */
export function getGuild(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<FullGuildObject> => {
    const { guild, member, memberCount } = await requireGuild(ports, caller, guildId)
    const online = await ports.presence.onlineCounts([guild.id])
    const { emojis, stickers } = await ports.queries.expressions.ofGuild(guild.id)
    const viewer = viewerOf(caller)
    return objectOf(fullGuildSchema, {
      ...guildObject(guild),
      roles: roleObjects(guild, viewer),
      emojis: emojis.map(emojiObject),
      stickers: stickers.map(stickersIn(guild.id)),
      channels: await channelViews(ports, viewer, guild, viewableChannels(guild, member, viewer)),
      member_count: memberCount,
      online_count: online.get(guild.id) ?? 0,
    })
  }
}

/** A guild without what its members have there, for members. Refuses as reading the guild does. See rules/guilds#read. */
export function previewGuild(ports: Pick<Needs, 'queries' | 'presence'>) {
  return async (caller: Caller, guildId: GuildId): Promise<GuildPreviewObject> => {
    const { guild, memberCount } = await requireGuild(ports, caller, guildId)
    const online = await ports.presence.onlineCounts([guild.id])
    const { emojis, stickers } = await ports.queries.expressions.ofGuild(guild.id)
    return objectOf(guildPreviewSchema, {
      ...partialGuildObject(guild),
      discovery_splash: null,
      description: null,
      emojis: emojis.map(emojiObject),
      stickers: stickers.map(stickersIn(guild.id)),
      approximate_member_count: memberCount,
      approximate_presence_count: online.get(guild.id) ?? 0,
    })
  }
}
