import { z } from 'zod'
import { maskOutput, snowflakeOutput, timestampOutput } from '../outputs.js'

const overwrite = z.object({
  id: snowflakeOutput,
  type: z.union([z.literal(0), z.literal(1)]).meta({ description: '0 role, 1 member' }),
  allow: maskOutput,
  deny: maskOutput,
})

/** A guild channel (reference gateway 3.4): which members it has depends on its type. */
export const channel = z
  .object({
    id: snowflakeOutput,
    type: z.int(),
    guild_id: snowflakeOutput,
    name: z.string(),
    position: z.int(),
    parent_id: snowflakeOutput.nullable().optional(),
    topic: z.string().nullable().optional(),
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
  })
  .meta({ id: 'Channel' })
