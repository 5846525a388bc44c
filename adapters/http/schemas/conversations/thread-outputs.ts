import { z } from 'zod'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { member } from '../communities/members.ts'

const muteConfig = z.object({ end_time: timestampOutput.nullable(), selected_time_window: z.int() }).nullable()

export const ownThreadMember = z.object({
  id: snowflakeOutput,
  user_id: snowflakeOutput,
  join_timestamp: timestampOutput,
  flags: z.int(),
  muted: z.boolean(),
  mute_config: muteConfig,
})

export const thread = z
  .object({
    id: snowflakeOutput,
    type: z.union([z.literal(10), z.literal(11), z.literal(12)]),
    guild_id: snowflakeOutput,
    parent_id: snowflakeOutput,
    owner_id: snowflakeOutput,
    name: z.string(),
    last_message_id: snowflakeOutput.nullable(),
    last_pin_timestamp: timestampOutput.nullable(),
    rate_limit_per_user: z.int(),
    flags: z.int(),
    thread_metadata: z.object({
      archived: z.boolean(),
      auto_archive_duration: z.int().meta({ description: 'Minutes: 60, 1440, 4320 or 10080.' }),
      archive_timestamp: timestampOutput,
      locked: z.boolean(),
      invitable: z.boolean().optional(),
      create_timestamp: timestampOutput,
    }),
    message_count: z.int(),
    total_message_sent: z.int(),
    member_count: z.int().meta({ description: 'Stops counting at 50.' }),
    applied_tags: z.array(snowflakeOutput).readonly().optional(),
    member_ids_preview: z.array(snowflakeOutput).readonly().optional(),
    member: ownThreadMember.optional(),
  })
  .meta({ id: 'Thread' })

export const threadMember = z
  .object({
    id: snowflakeOutput,
    user_id: snowflakeOutput,
    join_timestamp: timestampOutput,
    flags: z.int(),
    muted: z.boolean().optional(),
    mute_config: muteConfig.optional(),
    member: member.optional(),
  })
  .meta({ id: 'ThreadMember' })

const threadList = { threads: z.array(thread).readonly(), members: z.array(threadMember).readonly() }

export const activeThreads = z.object(threadList)
export const threadPage = z.object({ ...threadList, has_more: z.boolean() })
export const foundThreads = z.object({ ...threadList, has_more: z.boolean(), total_results: z.int() })
