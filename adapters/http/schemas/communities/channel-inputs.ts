import { z } from 'zod'
import { channelTypes, tagSettings, type ChannelType } from '../../../../domain/guild/channel.ts'
import { parsed, unparsed, type Parsed } from '../../../../domain/kernel/parsed.ts'
import { parseText, type Length } from '../../../../domain/text/normalise.ts'
import { channelIdInput, nameInput, readBy, snowflakeInput, textInput, withDefault } from '../scalars.ts'
import { permissionMaskInput } from './masks.ts'

const nameLength: Length = { min: 1, max: 100 }
const topicLength: Length = { min: 1, max: 1024 }
const urlLength: Length = { min: 1, max: 2048 }
const warningLength: Length = { min: 1, max: 200 }
const regionLength: Length = { min: 1, max: 64 }
const tagLength: Length = { min: 1, max: 20 }
const emojiLength: Length = { min: 1, max: 64 }

const seconds = z.int().min(0).max(21_600)
const archiveMinutes = z.union([z.literal(60), z.literal(1440), z.literal(4320), z.literal(10_080)])
const availableTags_max = 20
/** More than a channel may have. The domain refuses more than are kept. */
const overwritesGiven_max = 1000
/** As many as a guild may have channels. */
const moves_max = 500
const positions_max = 2_147_483_647

/** A web address: INVALID_URL_FORMAT for anything else. */
function parseUrl(text: string): Parsed<string> {
  const url = parseText(text, urlLength, 'URL_LENGTH_INVALID')
  if (!url.ok) return url
  return URL.canParse(url.value) && /^https?:/i.test(url.value) ? parsed(url.value) : unparsed('INVALID_URL_FORMAT')
}

const overwriteTarget = z.union([z.literal(0), z.literal(1)]).meta({ description: '0 role, 1 member' })
const masks = { allow: withDefault(permissionMaskInput, 0n), deny: withDefault(permissionMaskInput, 0n) }

/** The body of Set channel permission overwrite. */
export const overwriteWish = z.object({ type: overwriteTarget, ...masks })

/** The id of the role or member of an overwrite. */
export const overwriteIdInput = snowflakeInput

const overwrites = z.array(z.object({ id: overwriteIdInput, type: overwriteTarget, ...masks })).max(overwritesGiven_max)

const emoji = z
  .object({ emoji_id: snowflakeInput.nullish(), emoji_name: textInput(emojiLength).nullish() })
  .transform(({ emoji_id, emoji_name }) => ({ emojiId: emoji_id ?? null, emojiName: emoji_name ?? null }))

const tag = z
  .object({
    id: snowflakeInput.nullish(),
    name: nameInput(tagLength),
    moderated: withDefault(z.boolean(), false),
    emoji_id: snowflakeInput.nullish(),
    emoji_name: textInput(emojiLength).nullish(),
  })
  .transform(({ id, name, moderated, emoji_id, emoji_name }) => ({
    id: id ?? null,
    name,
    moderated,
    emojiId: emoji_id ?? null,
    emojiName: emoji_name ?? null,
  }))

const isType = (type: number): type is ChannelType => Object.values<number>(channelTypes).includes(type)
const type = z
  .int()
  .refine(isType)
  .meta({ description: '0 text, 2 voice, 4 category, 5 announcement, 15 forum, 16 media, 998 link' })

/** Clients send null for members that the channel's type does not have: null counts as absent. */
const members = {
  topic: textInput(topicLength).nullable().optional(),
  url: readBy(parseUrl, urlLength).nullable().optional(),
  parent_id: channelIdInput.nullable().optional(),
  nsfw: z.boolean().optional(),
  nsfw_override: z.boolean().nullable().optional(),
  content_warning_level: z.union([z.literal(0), z.literal(1)]).optional(),
  content_warning_text: textInput(warningLength).nullable().optional(),
  rate_limit_per_user: seconds.nullish(),
  bitrate: z.int().min(8000).nullish().meta({ description: 'At most the cap of the guild: more is stored at that.' }),
  user_limit: z.int().min(0).max(99).nullish(),
  voice_connection_limit: z.int().min(1).max(100).nullish(),
  rtc_region: textInput(regionLength).nullable().optional(),
  rtc_p2p: z.boolean().nullish(),
  default_auto_archive_duration: archiveMinutes.nullish(),
  default_thread_rate_limit_per_user: seconds.nullish(),
  flags: z.int().min(0).optional(),
  available_tags: z.array(tag).max(availableTags_max).optional(),
  default_reaction_emoji: emoji.nullable().optional(),
  default_sort_order: z
    .union([z.literal(0), z.literal(1)])
    .nullable()
    .optional(),
  default_forum_layout: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  default_tag_setting: z.enum(tagSettings).nullable().optional(),
  permission_overwrites: overwrites.optional(),
}

type Members = z.output<z.ZodObject<typeof members>>

function settingsIn(given: Members) {
  return {
    topic: given.topic,
    url: given.url,
    parentId: given.parent_id,
    nsfw: given.nsfw,
    nsfwOverride: given.nsfw_override,
    contentWarningLevel: given.content_warning_level,
    contentWarningText: given.content_warning_text,
    rateLimitPerUser: given.rate_limit_per_user ?? undefined,
    bitrate: given.bitrate ?? undefined,
    userLimit: given.user_limit ?? undefined,
    voiceConnectionLimit: given.voice_connection_limit ?? undefined,
    rtcRegion: given.rtc_region,
    rtcP2p: given.rtc_p2p ?? undefined,
    autoArchiveDuration: given.default_auto_archive_duration ?? undefined,
    threadRateLimitPerUser: given.default_thread_rate_limit_per_user ?? undefined,
    flags: given.flags,
    availableTags: given.available_tags,
    defaultReactionEmoji: given.default_reaction_emoji,
    defaultSortOrder: given.default_sort_order,
    defaultForumLayout: given.default_forum_layout,
    defaultTagSetting: given.default_tag_setting,
    overwrites: given.permission_overwrites,
  }
}

/** The body of Create guild channel. Without a type it is a text channel. */
export const channelWishes = z
  .object({ type: type.default(channelTypes.text), name: nameInput(nameLength), ...members })
  .transform(({ type: wished, name, ...given }) => ({ type: wished, name, ...settingsIn(given) }))

/** The body of Modify channel for a guild channel. Members that are not sent stay as they are. */
export const channelChanges = z
  .object({ type: type.optional(), name: nameInput(nameLength).optional(), ...members })
  .transform(({ type: wished, name, ...given }) => ({ type: wished, name, ...settingsIn(given) }))

/** The body of Modify guild channel positions. */
export const channelMoves = z
  .array(
    z.object({
      id: channelIdInput,
      position: z.int().min(0).max(positions_max).nullish(),
      parent_id: channelIdInput.nullable().optional(),
      preceding_sibling_id: channelIdInput.nullable().optional(),
      lock_permissions: withDefault(z.boolean(), false),
    }),
  )
  .max(moves_max)
  .transform((moves) =>
    moves.map((move) => ({
      channelId: move.id,
      position: move.position ?? undefined,
      parentId: move.parent_id,
      precedingSiblingId: move.preceding_sibling_id,
      lockPermissions: move.lock_permissions,
    })),
  )
