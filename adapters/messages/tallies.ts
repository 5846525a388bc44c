import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Messages, MessageTally, MessageAudience } from '../../application/ports/messages.ts'
import { channelId, type ChannelId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { bigints } from './message-rows.ts'

/** The types of threads: the messages in them are counted. */
const countedTypes: readonly number[] = [10, 11, 12]

/** Whether the messages of a place are counted. */
export function isCounted({ channelType }: Pick<MessageAudience, 'channelType'>): boolean {
  return countedTypes.includes(channelType)
}

/** Counts the message in `posted`, in the statement that writes it. Does nothing outside threads. */
export function countPosted({ channelId: channel, channelType }: MessageAudience) {
  if (!isCounted({ channelType })) return sql.fragment``
  return sql.fragment`, counted as (
      insert into messages.tallies as t (channel_id, message_count, sent_count)
      select ${channel}::int8, 1, 1 from posted
      on conflict (channel_id) do update set message_count = t.message_count + 1, sent_count = t.sent_count + 1
    )`
}

/** Subtracts the messages in `deleted`, in the statement that deletes them. A channel without a tally gets none. */
export function countDeleted({ channelId: channel, channelType }: Pick<MessageAudience, 'channelId' | 'channelType'>) {
  if (!isCounted({ channelType })) return sql.fragment``
  return sql.fragment`, counted as (
      update messages.tallies t set message_count = greatest(0, t.message_count - (select count(*) from deleted))
      where t.channel_id = ${channel}
    )`
}

const tallyRow = z
  .object({ channel_id: z.string(), message_count: z.int(), sent_count: z.int() })
  .transform(({ channel_id, ...tally }): readonly [ChannelId, MessageTally] => [
    channelId(snowflake(channel_id)),
    tally,
  ])

/** Reads the counts. */
export function counting(database: Queries): Pick<Messages, 'talliesOf'> {
  return {
    async talliesOf(channels) {
      if (channels.length === 0) return new Map()
      const rows = await database.any(sql.type(tallyRow)`
        select channel_id, message_count, sent_count from messages.tallies where channel_id = any(${bigints(channels)})`)
      return new Map(rows)
    },
  }
}
