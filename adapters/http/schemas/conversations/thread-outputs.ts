import { z } from 'zod'
import { snowflakeOutput, timestampOutput } from '../outputs.ts'
import { member } from '../communities/members.ts'

const muteConfig = z
  .object({
    end_time: timestampOutput.nullable().describe('When it ends; null for never.'),
    selected_time_window: z.int().describe('The duration that the person chose, in seconds; -1 for ever.'),
  })
  .nullable()

export const ownThreadMember = z.object({
  id: snowflakeOutput,
  user_id: snowflakeOutput,
  join_timestamp: timestampOutput,
  flags: z.int().describe('Bits: 1 HAS_INTERACTED, 2 ALL_MESSAGES, 4 ONLY_MENTIONS, 8 NO_MESSAGES.'),
  muted: z.boolean().describe('Whether nothing notifies.'),
  mute_config: muteConfig.describe('How long it is muted; null for ever.'),
})

export const thread = z
  .object({
    id: snowflakeOutput,
    type: z.union([z.literal(10), z.literal(11), z.literal(12)]),
    guild_id: snowflakeOutput,
    parent_id: snowflakeOutput.describe('The category, or of a thread its channel.'),
    owner_id: snowflakeOutput.describe('Who owns it.'),
    name: z.string(),
    last_message_id: snowflakeOutput
      .nullable()
      .describe('The newest message; null if there was none. It may be deleted.'),
    last_pin_timestamp: timestampOutput.nullable(),
    rate_limit_per_user: z.int().describe('Slow mode: seconds between two messages of one member; 0 for none.'),
    flags: z.int().describe('Bits: 2 PINNED, in a forum.'),
    thread_metadata: z
      .object({
        archived: z.boolean().describe('Whether nobody has written in the thread for a while, or it was closed.'),
        auto_archive_duration: z.int().meta({ description: 'Minutes: 60, 1440, 4320 or 10080.' }),
        archive_timestamp: timestampOutput,
        locked: z.boolean().describe('Whether only moderators may open it again.'),
        invitable: z.boolean().optional().describe('Whether ordinary members of a private thread may add others.'),
        create_timestamp: timestampOutput,
      })
      .describe('What only threads have.'),
    message_count: z.int().describe('How many messages.'),
    total_message_sent: z.int().describe('How many messages were ever sent in it.'),
    member_count: z.int().meta({ description: 'Stops counting at 50.' }),
    applied_tags: z.array(snowflakeOutput).readonly().optional().describe('Tags of the forum that the post has.'),
    member_ids_preview: z.array(snowflakeOutput).readonly().optional().describe('Some of the members.'),
    member: ownThreadMember.optional(),
  })
  .meta({ id: 'Thread' })

export const threadMember = z
  .object({
    id: snowflakeOutput,
    user_id: snowflakeOutput,
    join_timestamp: timestampOutput,
    flags: z.int().describe('Bits: 1 HAS_INTERACTED, 2 ALL_MESSAGES, 4 ONLY_MENTIONS, 8 NO_MESSAGES.'),
    muted: z.boolean().optional().describe('Whether nothing notifies.'),
    mute_config: muteConfig.optional().describe('How long it is muted; null for ever.'),
    member: member.optional(),
  })
  .meta({ id: 'ThreadMember' })

const threadList = { threads: z.array(thread).readonly(), members: z.array(threadMember).readonly() }

export const activeThreads = z.object(threadList)
export const threadPage = z.object({ ...threadList, has_more: z.boolean().describe('Whether there is another page.') })
export const foundThreads = z.object({
  ...threadList,
  has_more: z.boolean().describe('Whether there is another page.'),
  total_results: z.int().describe('How many there are on all pages.'),
})
