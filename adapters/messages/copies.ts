import { z } from 'zod'
import type { ChangedSource, Copies, MessagePlace } from '../../application/ports/copies.ts'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'

const nothing = z.object({})

interface PlaceColumns {
  readonly channel_id: ChannelId
  readonly message_id: MessageId
}

const placeRow = rowOf((row: PlaceColumns): MessagePlace => ({ channelId: row.channel_id, messageId: row.message_id }))
const changeRow = rowOf((row: PlaceColumns & { readonly changed: string }): ChangedSource => ({
  channelId: row.channel_id,
  messageId: row.message_id,
  changedAt: row.changed,
}))

export function keepingCopies(database: Queries): Copies {
  return {
    async note(source, { channelId, messageId }) {
      await database.any(sql.type(nothing)`
        insert into messages.copies (source_id, channel_id, message_id) values (${source}, ${channelId}, ${messageId})
        on conflict do nothing`)
    },
    of: (source, { after, limit }) =>
      database.any(sql.type(placeRow)`
        select channel_id, message_id from messages.copies
        where source_id = ${source} and (channel_id, message_id) > (${after?.channelId ?? '0'}::int8, ${after?.messageId ?? '0'}::int8)
        order by channel_id, message_id limit ${limit}`),
    changed: (limit) =>
      database.any(sql.type(changeRow)`
        select channel_id, message_id, changed_at::text as changed from messages.changed_sources
        order by changed_at limit ${limit}`),
    async followed({ messageId, changedAt }) {
      await database.any(sql.type(nothing)`
        delete from messages.changed_sources where message_id = ${messageId} and changed_at = ${changedAt}::timestamptz`)
    },
  }
}
