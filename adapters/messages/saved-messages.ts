import { z } from 'zod'
import { privateChannelTypes } from '../../application/access/private-channel-access.ts'
import type { Queries } from '../../application/ports/database.ts'
import type { SavedMessages, SavedPlace } from '../../application/ports/saved-messages.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'
import { snowflakeMax } from '../../domain/ids/snowflake.ts'
import type { Notices } from './tell.ts'

const nothing = z.object({})
const countRow = z.object({ count: z.int() })
const placeRow = rowOf((row: { readonly channel_id: ChannelId; readonly message_id: MessageId }): SavedPlace => ({
  channelId: row.channel_id,
  messageId: row.message_id,
}))

/**
 * Saved messages. A message that is deleted takes its rows along by a trigger; the lock of its row, which saving takes, keeps it
 * from going in between.
 */
export function savedMessages(database: Queries, notices: Notices, announce: () => void): SavedMessages {
  const held = notices.after(sql.fragment`0`)
  return {
    count: async (account) =>
      (
        await database.one(sql.type(countRow)`
          select count(*)::int4 as count from messages.saved_messages where account_id = ${account}`)
      ).count,
    async save(account, { channelId, messageId }) {
      await database.any(sql.type(nothing)`
        with there as (
          select m.channel_id, m.id from messages.messages m
          where m.channel_id = ${channelId} and m.id = ${messageId} for key share
        ), saved as (
          insert into messages.saved_messages (account_id, channel_id, message_id)
          select ${account}::int8, channel_id, id from there on conflict do nothing
        )
        insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids)
        select 'saved', channel_id, ${privateChannelTypes.notes}, array[${account}::int8], ${held}, array[id] from there`)
      announce()
    },
    page: (account, after, limit) =>
      database.any(sql.type(placeRow)`
        select channel_id, message_id from messages.saved_messages
        where account_id = ${account} and message_id < ${after ?? snowflakeMax.toString()}::int8
        order by message_id desc limit ${limit}`),
    async remove(account, message) {
      await database.any(sql.type(nothing)`
        with gone as (delete from messages.saved_messages where account_id = ${account} and message_id = ${message})
        insert into messages.notices (kind, channel_id, channel_type, recipients, after, message_ids)
        values ('unsaved', ${account}, ${privateChannelTypes.notes}, array[${account}::int8], ${held}, array[${message}::int8])`)
      announce()
    },
    async removeAllOf(account) {
      await database.any(sql.type(nothing)`delete from messages.saved_messages where account_id = ${account}`)
    },
  }
}
