import { has, type Channel, type ForumEmoji, type ForumSettings } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import { maskFor, type Viewer } from './guild-objects.ts'

/** The newest message of each channel that has messages. */
export type LastMessages = Pick<ReadonlyMap<ChannelId, MessageId>, 'get'>

/**
 * A channel of a guild. Members about threads and forums need thread access. Overwrites keep thread bits over HTTP
 * (rules/roles-and-permissions#masks).
 */
export function channelObject(
  channel: Channel,
  guild: Pick<Guild, 'id'>,
  viewer: Viewer,
  lastMessageId: MessageId | null = null,
) {
  const { type } = channel
  return {
    id: channel.id,
    type,
    guild_id: guild.id,
    name: channel.name,
    position: channel.position,
    ...(has(type, 'parent') ? { parent_id: channel.parentId } : {}),
    permission_overwrites: channel.overwrites,
    nsfw: channel.nsfw,
    nsfw_override: channel.nsfwOverride,
    content_warning_level: channel.contentWarningLevel,
    content_warning_text: channel.contentWarningText,
    ...(has(type, 'topic') ? { topic: channel.topic } : {}),
    ...(has(type, 'url') ? { url: channel.url } : {}),
    ...(has(type, 'rateLimit') ? { rate_limit_per_user: channel.rateLimitPerUser } : {}),
    ...(has(type, 'messages') ? { last_message_id: lastMessageId, last_pin_timestamp: null } : {}),
    ...voiceMembers(channel),
    ...(viewer.threadAccess ? { ...threadMembers(channel), ...forumMembers(channel) } : {}),
  }
}

export type ChannelObject = ReturnType<typeof channelObject>

/** A channel of a guild at the Gateway. Unlike over HTTP, overwrites lose the thread bits too. */
export function gatewayChannelObject(
  channel: Channel,
  guild: Pick<Guild, 'id'>,
  viewer: Viewer,
  lastMessageId: MessageId | null = null,
): ChannelObject {
  const overwrites = channel.overwrites.map(({ id, type, allow, deny }) => ({
    id,
    type,
    allow: maskFor(viewer, BigInt(allow)),
    deny: maskFor(viewer, BigInt(deny)),
  }))
  return { ...channelObject(channel, guild, viewer, lastMessageId), permission_overwrites: overwrites }
}

function voiceMembers({ voice }: Channel) {
  if (!voice) return {}
  return {
    bitrate: voice.bitrate,
    user_limit: voice.userLimit,
    voice_connection_limit: voice.connectionLimit,
    rtc_region: voice.rtcRegion,
    rtc_p2p: voice.rtcP2p === true,
  }
}

function threadMembers({ threads }: Channel) {
  if (!threads) return {}
  return {
    default_auto_archive_duration: threads.autoArchiveDuration,
    default_thread_rate_limit_per_user: threads.rateLimitPerUser,
  }
}

function forumMembers({ forum }: Channel) {
  return forum ? forumObject(forum) : {}
}

function forumObject({ flags, availableTags, defaultReactionEmoji, ...defaults }: ForumSettings) {
  return {
    flags,
    available_tags: availableTags.map(({ id, name, moderated, ...emoji }) => ({
      id,
      name,
      moderated,
      ...emojiMembers(emoji),
    })),
    default_reaction_emoji: defaultReactionEmoji && emojiMembers(defaultReactionEmoji),
    default_sort_order: defaults.defaultSortOrder,
    default_forum_layout: defaults.defaultForumLayout,
    default_tag_setting: defaults.defaultTagSetting ?? null,
  }
}

function emojiMembers({ emojiId, emojiName }: ForumEmoji) {
  return { emoji_id: emojiId, emoji_name: emojiName }
}
