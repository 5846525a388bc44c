import { z } from 'zod'
import {
  templateChannels_max,
  templateRoles_max,
  type GuildTemplate,
} from '../../../../domain/guild/template/template.ts'
import { colorInput } from '../colors.ts'
import { countedLater } from '../lists.ts'
import { orNull, textInput, withDefault } from '../scalars.ts'
import { wholeInteger } from '../whole-integers.ts'
import { unitsInWords } from '../../../../application/wire-objects/units-in-words.ts'

/** Ids within a template: a decimal text or an integer, compared as text. */
const localId = wholeInteger(z.union([z.string().regex(/^-?[0-9]{1,32}$/), z.int()]))
  .transform(String)
  .meta({ description: 'A name within the template: decimal text or an integer.' })

/** Any number; the domain checks its value. */
const level = (value: number) => z.number().default(value)

/** The domain checks whether a mask is an integer: it rejects the template, not the body. */
const sentMask = wholeInteger(z.union([z.string(), z.number()]).meta({ description: unitsInWords.givenMask }))

const named = withDefault(textInput({ min: 0, max: 100 }), '')

const templateRole = z
  .object({
    id: localId,
    name: named,
    permissions: sentMask.optional(),
    permissions_new: sentMask.optional(),
    color: colorInput.default(0),
    hoist: z.boolean().default(false),
    mentionable: z.boolean().default(false),
    unicode_emoji: orNull(textInput({ min: 0, max: 64 })),
  })
  .transform(({ permissions, permissions_new, unicode_emoji: unicodeEmoji, ...role }) => ({
    ...role,
    unicodeEmoji,
    permissions: permissions_new ?? permissions ?? 0,
  }))

/** A number, or text: `role` and `member` stand for 0 and 1, other text is read as a number. */
const overwriteType = z.union([z.int(), z.string()]).transform((type): number => {
  if (type === 'role') return 0
  return type === 'member' ? 1 : Number(type)
})

const templateOverwrite = z.object({
  id: localId,
  type: overwriteType,
  allow: sentMask,
  deny: sentMask,
})

const templateChannel = z
  .object({
    id: localId,
    type: z.int(),
    name: named,
    topic: orNull(textInput({ min: 0, max: 1024 })),
    position: z.int(),
    parent_id: orNull(localId),
    bitrate: orNull(z.int()),
    user_limit: orNull(z.int()),
    voice_connection_limit: orNull(z.int()),
    nsfw: z.boolean().default(false),
    rate_limit_per_user: level(0),
    permission_overwrites: z.array(templateOverwrite).max(1000).default([]),
  })
  .transform(({ parent_id: parentId, user_limit: userLimit, permission_overwrites: overwrites, ...channel }) => ({
    id: channel.id,
    type: channel.type,
    name: channel.name,
    topic: channel.topic,
    position: channel.position,
    parentId,
    bitrate: channel.bitrate,
    userLimit,
    voiceConnectionLimit: channel.voice_connection_limit,
    nsfw: channel.nsfw,
    rateLimitPerUser: channel.rate_limit_per_user,
    overwrites,
  }))

/** A guild creation template object; its name and description are read and discarded. */
export const guildTemplate = z
  .object({
    name: z.string(),
    description: z.string().nullish(),
    verification_level: level(0),
    default_message_notifications: level(0),
    explicit_content_filter: level(0),
    system_channel_id: orNull(localId),
    afk_timeout: level(300),
    system_channel_flags: z.int().default(0),
    roles: countedLater(z.array(templateRole), templateRoles_max),
    channels: countedLater(z.array(templateChannel), templateChannels_max),
  })
  .transform((template): GuildTemplate => ({
    verificationLevel: template.verification_level,
    defaultMessageNotifications: template.default_message_notifications,
    explicitContentFilter: template.explicit_content_filter,
    systemChannelId: template.system_channel_id,
    afkTimeout: template.afk_timeout,
    systemChannelFlags: template.system_channel_flags,
    roles: template.roles,
    channels: template.channels,
  }))
