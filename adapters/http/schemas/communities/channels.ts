import { z } from 'zod'
import { tagSettings } from '../../../../domain/guild/channel.ts'
import { maskOutput, snowflakeOutput, timestampOutput } from '../outputs.ts'

const overwrite = z.object({
  id: snowflakeOutput,
  type: z.union([z.literal(0), z.literal(1)]).meta({ description: '0 role, 1 member' }),
  allow: maskOutput,
  deny: maskOutput,
})

const emoji = { emoji_id: snowflakeOutput.nullable(), emoji_name: z.string().nullable() }

/** A guild channel. Its type determines its members. */
export const channel = z
  .object({
    id: snowflakeOutput,
    type: z.int(),
    guild_id: snowflakeOutput,
    name: z.string(),
    position: z.int(),
    parent_id: snowflakeOutput.nullable().optional(),
    topic: z.string().nullable().optional(),
    url: z.string().nullable().optional(),
    permission_overwrites: z.array(overwrite).readonly(),
    nsfw: z.boolean(),
    nsfw_override: z.boolean().nullable(),
    content_warning_level: z.int(),
    content_warning_text: z.string().nullable(),
    rate_limit_per_user: z.int().optional(),
    last_message_id: snowflakeOutput.nullable().optional(),
    last_pin_timestamp: timestampOutput.nullable().optional(),
    bitrate: z.int().optional(),
    user_limit: z.int().optional(),
    voice_connection_limit: z.int().optional(),
    rtc_region: z.string().nullable().optional(),
    rtc_p2p: z.boolean().optional(),
    default_auto_archive_duration: z.int().optional(),
    default_thread_rate_limit_per_user: z.int().optional(),
    flags: z.int().optional(),
    available_tags: z
      .array(z.object({ id: snowflakeOutput, name: z.string(), moderated: z.boolean(), ...emoji }))
      .readonly()
      .optional(),
    default_reaction_emoji: z.object(emoji).nullable().optional(),
    default_sort_order: z.int().nullable().optional(),
    default_forum_layout: z.int().optional(),
    default_tag_setting: z.enum(tagSettings).nullable().optional(),
  })
  .meta({ id: 'Channel' })
