import { z } from 'zod'
import type { ChannelId, MessageId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { nullableSnowflake, nullableTimestamp, snowflakeOutput } from '../scalars.ts'

/** The bit of threads in `flags`. */
const isThread = 2

/** What an account has read of a channel. */
export const readStateSchema = wireObject('ReadState', {
  id: snowflakeOutput.describe('The channel.'),
  mention_count: z.int().describe('How many messages that the account has not read mention it.'),
  last_message_id: nullableSnowflake.describe(
    'Up to which message it has read the channel; the id of the channel where only mentions are known; null for nothing.',
  ),
  last_pin_timestamp: nullableTimestamp.describe('The last pin that it has seen; null for none.'),
  version: z.literal('0').describe('Read states have no versions here.'),
  flags: z.literal(isThread).optional().describe('Of a thread, in READY.'),
})

export type ReadStateObject = ObjectOf<typeof readStateSchema>

export interface ReadStateParts {
  readonly channelId: ChannelId
  readonly mentionCount: number
  readonly lastMessageId: MessageId | null
  readonly lastPinAt: Timestamp | null
  readonly isThread?: boolean
}

const count_max = 2_147_483_647

export function readStateObject(parts: ReadStateParts): ReadStateObject {
  return objectOf(readStateSchema, {
    id: parts.channelId,
    mention_count: Math.min(parts.mentionCount, count_max),
    last_message_id: parts.lastMessageId,
    last_pin_timestamp: parts.lastPinAt,
    version: '0',
    ...(parts.isThread ? { flags: isThread } : {}),
  })
}
