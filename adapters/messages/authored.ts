import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AuthoredMessages, WrittenChannel } from '../../application/ports/archives.ts'
import { channelId, guildId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import { lowestIdAt, messageColumns, messageRow } from './message-rows.ts'

const writtenRow = rowOf(
  (row: { readonly channel_id: Snowflake; readonly guild_id: Snowflake | null }): WrittenChannel => ({
    channelId: channelId(row.channel_id),
    guildId: row.guild_id === null ? null : guildId(row.guild_id),
  }),
)

/** Before every id. */
const start = '-1'
/** After every id of a message. */
const end = '9223372036854775807'

/** Follows the index by author: each channel costs one step in it, however many messages the channel has. */
export function authoredMessages(database: Queries): AuthoredMessages {
  return {
    channelsOf: (author, after, limit) =>
      database.any(sql.type(writtenRow)`
        with recursive written as (
          (select channel_id, guild_id, 1 as number from messages.messages
            where author_id = ${author} and channel_id > ${after ?? start} order by channel_id limit 1)
          union all
          select next.channel_id, next.guild_id, written.number + 1 from written, lateral (
            select channel_id, guild_id from messages.messages
            where author_id = ${author} and channel_id > written.channel_id order by channel_id limit 1) next
          where written.number < ${limit}
        )
        select channel_id, guild_id from written order by channel_id`),
    page: (author, channel, { after, from, until }, limit) =>
      database.any(sql.type(messageRow)`
        select ${messageColumns} from messages.messages m
        where m.author_id = ${author} and m.channel_id = ${channel} and m.id > ${after ?? start}
          and m.id >= ${from === null ? start : lowestIdAt(msOf(from))}
          and m.id < ${until === null ? end : lowestIdAt(msOf(until))}
        order by m.id limit ${limit}`),
  }
}
