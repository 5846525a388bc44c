import { z } from 'zod'
import {
  has,
  type Channel,
  type ForumEmoji,
  type ForumSettings,
  channelTypes,
  tagSettings,
} from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { nothingLast, type ChannelLast } from '../../../domain/messages/channel-last.ts'
import { maskFor, type Viewer } from './guild-objects.ts'
import { snowflakeOutput, maskOutput, timestampOutput } from '../scalars.ts'
import { valuesInWords } from '../registries-in-words.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

const overwriteSchema = z.object({
  id: snowflakeOutput,
  type: z.union([z.literal(0), z.literal(1)]).describe('0 or role: only these take effect here.'),
  allow: maskOutput.describe('What is allowed here, whatever the roles say.'),
  deny: maskOutput.describe('What is forbidden here, whatever the roles say. allow takes precedence.'),
})

const emojiMembersSchema = {
  emoji_id: snowflakeOutput.nullable().describe('The custom emoji; null for a Unicode emoji or none.'),
  emoji_name: z
    .string()
    .nullable()
    .describe('The Unicode emoji, or the name of the custom one; null if there is none.'),
}

/** A guild channel. Its type determines its members. */
export const channelSchema = wireObject('Channel', {
  id: snowflakeOutput,
  type: z.int().describe(`The kind of the channel: ${valuesInWords(channelTypes)}`),
  guild_id: snowflakeOutput,
  name: z.string(),
  position: z.int().describe('The order, from 0.'),
  parent_id: snowflakeOutput.nullable().optional().describe('The category, or of a thread its channel; null for none.'),
  topic: z.string().nullable().optional().describe('Null if there is none.'),
  url: z.string().nullable().optional().describe('Where a link channel leads; null for other types.'),
  permission_overwrites: z
    .array(overwriteSchema)
    .readonly()
    .describe('What roles and members may do here beyond their roles.'),
  nsfw: z.boolean().describe('Whether it is for adults only.'),
  nsfw_override: z
    .boolean()
    .nullable()
    .describe('Whether the channel is for adults only, whatever the guild says; null as the guild says.'),
  content_warning_level: z.int().describe('0 as the guild has it, or none; 1 a warning before the content.'),
  content_warning_text: z.string().nullable().describe('Null or empty: the client’s own words.'),
  rate_limit_per_user: z
    .int()
    .optional()
    .describe('Slow mode: seconds between two messages of one member; 0 for none.'),
  last_message_id: snowflakeOutput
    .nullable()
    .optional()
    .describe('The newest message; null if there was none. It may be deleted.'),
  last_pin_timestamp: timestampOutput
    .nullable()
    .optional()
    .describe('When a message was last pinned; null for never. It may be unpinned.'),
  bitrate: z.int().optional().describe('Bits a second, of voice channels.'),
  user_limit: z.int().optional().describe('How many can be in a voice channel; 0 for no bound.'),
  voice_connection_limit: z.int().optional().describe('How many connections a member can have in a voice channel.'),
  rtc_region: z.string().nullable().optional().describe('The region of the voice server; null for the nearest.'),
  rtc_p2p: z.boolean().optional().describe('Whether voice goes from member to member, without a server.'),
  default_auto_archive_duration: z
    .int()
    .optional()
    .describe('Minutes without a message after which new threads are archived.'),
  default_thread_rate_limit_per_user: z
    .int()
    .optional()
    .describe('The rate_limit_per_user of new threads, in seconds.'),
  flags: z.int().optional().describe('A bit field that is kept as it was sent.'),
  available_tags: z
    .array(
      z.object({
        id: snowflakeOutput,
        name: z.string(),
        moderated: z.boolean().describe('Whether only moderators of threads may give the tag.'),
        ...emojiMembersSchema,
      }),
    )
    .readonly()
    .optional()
    .describe('The tags that posts of a forum can have.'),
  default_reaction_emoji: z
    .object(emojiMembersSchema)
    .nullable()
    .optional()
    .describe('The reaction that a forum offers for its posts; null for none.'),
  default_sort_order: z
    .int()
    .nullable()
    .optional()
    .describe('Posts of a forum by 0 their latest message, 1 their creation; null as the client likes.'),
  default_forum_layout: z.int().optional().describe('0 as the client likes, 1 list, 2 gallery.'),
  default_tag_setting: z
    .enum(tagSettings)
    .nullable()
    .optional()
    .describe('Whether posts need one or all of the chosen tags; null as the client likes.'),
})

export type ChannelObject = ObjectOf<typeof channelSchema>

/** The newest message and the last pin of each channel that has either. */
export type LastMessages = Pick<ReadonlyMap<ChannelId, ChannelLast>, 'get'>

/**
 * A channel of a guild. Members about threads and forums need thread access. Overwrites keep thread bits over HTTP
 * (rules/roles-and-permissions#masks).
 */
export function channelObject(
  channel: Channel,
  guild: Pick<Guild, 'id'>,
  viewer: Viewer,
  last: ChannelLast = nothingLast,
): ChannelObject {
  const { type } = channel
  return objectOf(channelSchema, {
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
    ...(has(type, 'messages') ? { last_message_id: last.messageId, last_pin_timestamp: last.pinnedAt } : {}),
    ...voiceMembers(channel),
    ...(viewer.threadAccess ? { ...threadMembers(channel), ...forumMembers(channel) } : {}),
  })
}

/** A channel of a guild at the Gateway. Unlike over HTTP, overwrites lose the thread bits too. */
export function gatewayChannelObject(
  channel: Channel,
  guild: Pick<Guild, 'id'>,
  viewer: Viewer,
  last: ChannelLast = nothingLast,
): ChannelObject {
  const overwrites = channel.overwrites.map(({ id, type, allow, deny }) => ({
    id,
    type,
    allow: maskFor(viewer, BigInt(allow)),
    deny: maskFor(viewer, BigInt(deny)),
  }))
  return objectOf(channelSchema, {
    ...channelObject(channel, guild, viewer, last),
    permission_overwrites: overwrites,
  })
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
