import { z } from 'zod'
import { channel } from './channels.ts'
import { maskOutput, snowflakeOutput, timestampOutput } from '../outputs.ts'

const hash = z.string().nullable()
const pixels = z.int().nullable()
const nullableId = snowflakeOutput.nullable()

const guildAssets = {
  icon: hash,
  banner: hash,
  banner_width: pixels,
  banner_height: pixels,
  splash: hash,
  splash_width: pixels,
  splash_height: pixels,
  splash_card_alignment: z.int(),
  embed_splash: hash,
  embed_splash_width: pixels,
  embed_splash_height: pixels,
}

/** A guild as others see it. Its custom code is never part of it. */
export const partialGuild = z
  .object({ id: snowflakeOutput, name: z.string(), ...guildAssets, features: z.array(z.string()).readonly() })
  .meta({ id: 'PartialGuild' })

export const guildMembers = {
  id: snowflakeOutput,
  name: z.string(),
  ...guildAssets,
  vanity_url_code: z.string().nullable(),
  owner_id: snowflakeOutput,
  system_channel_id: nullableId,
  system_channel_flags: z.int(),
  rules_channel_id: nullableId,
  afk_channel_id: nullableId,
  afk_timeout: z.int(),
  features: z.array(z.string()).readonly(),
  verification_level: z.int(),
  mfa_level: z.int(),
  nsfw_level: z.int(),
  nsfw: z.boolean(),
  content_warning_level: z.int(),
  content_warning_text: z.string().nullable(),
  explicit_content_filter: z.int(),
  default_message_notifications: z.int(),
  disabled_operations: z.int(),
  message_history_cutoff: timestampOutput.nullable(),
}

/** A guild as its writes give it back, without the members that only reads fill in. */
export const guild = z.object(guildMembers).meta({ id: 'Guild' })

/** A guild as List current user guilds shows it. */
export const listedGuild = z
  .object({
    ...guildMembers,
    permissions: maskOutput.optional(),
    approximate_member_count: z.int().optional(),
    approximate_presence_count: z.int().optional(),
    threads_active: z.literal(true).optional(),
  })
  .meta({ id: 'ListedGuild' })

export const role = z
  .object({
    id: snowflakeOutput,
    name: z.string(),
    color: z.int(),
    position: z.int(),
    hoist_position: z.int().nullable(),
    permissions: maskOutput,
    hoist: z.boolean(),
    mentionable: z.boolean(),
    unicode_emoji: z.string().nullable(),
  })
  .meta({ id: 'Role' })

/** Features that this service does not have: emojis, stickers, webhooks, threads. */
export const nothingBuilt = z.array(z.never()).readonly()

/** A guild as Get guild shows it. */
export const fullGuild = z
  .object({
    ...guildMembers,
    roles: z.array(role).readonly(),
    emojis: nothingBuilt,
    stickers: nothingBuilt,
    channels: z.array(channel).readonly(),
    member_count: z.int(),
    online_count: z.int(),
  })
  .meta({ id: 'FullGuild' })
