import { z } from 'zod'
import type { ChangedSource, Copies, MessagePlace, Publication } from '../../application/ports/copies.ts'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

const nothing = z.object({})

interface PlaceColumns {
  readonly channel_id: ChannelId
  readonly message_id: MessageId
}

const placeRow = rowOf((row: PlaceColumns): MessagePlace => ({ channelId: row.channel_id, messageId: row.message_id }))
const changeRow = rowOf(
  (row: PlaceColumns & { readonly changed: string; readonly removed: boolean }): ChangedSource => ({
    channelId: row.channel_id,
    messageId: row.message_id,
    changedAt: row.changed,
    isRemoved: row.removed,
  }),
)
const publicationRow = rowOf((row: PlaceColumns & { readonly published_ms: number }): Publication => ({
  channelId: row.channel_id,
  messageId: row.message_id,
  publishedAt: timestamp(row.published_ms),
}))
const publicationColumns = sql.fragment`
  channel_id, message_id, floor(extract(epoch from published_at) * 1000)::float8 as published_ms`

/** How long what failed waits, after each of its tries. */
const delays_s = [10, 30, 60, 120, 300, 600, 1200, 2400] as const
const laterBy = sql.fragment`
  clock_timestamp() + make_interval(secs => (${sql.array([...delays_s], 'int4')})[tries + 1])`

export function keepingCopies(database: Queries): Copies {
  return {
    publication: async (source) =>
      (await database.maybeOne(sql.type(publicationRow)`
        select ${publicationColumns} from messages.publications
        where message_id = ${source} and due_at <= clock_timestamp()`)) ?? undefined,
    publications: (limit) =>
      database.any(sql.type(publicationRow)`
        select ${publicationColumns} from messages.publications
        where due_at <= clock_timestamp() order by due_at limit ${limit}`),
    async putOff(source) {
      await database.any(sql.type(nothing)`
        with given_up as (
          delete from messages.publications where message_id = ${source} and tries >= ${delays_s.length})
        update messages.publications set tries = tries + 1, due_at = ${laterBy}
        where message_id = ${source} and tries < ${delays_s.length}`)
    },
    async delivered(source) {
      await database.any(sql.type(nothing)`delete from messages.publications where message_id = ${source}`)
    },
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
        select channel_id, message_id, changed_at::text as changed, removed from messages.changed_sources
        where due_at <= clock_timestamp() order by due_at limit ${limit}`),
    async putOffChange({ messageId, changedAt }) {
      const change = sql.fragment`message_id = ${messageId} and changed_at = ${changedAt}::timestamptz`
      await database.any(sql.type(nothing)`
        with given_up as (
          delete from messages.changed_sources where ${change} and tries >= ${delays_s.length})
        update messages.changed_sources set tries = tries + 1, due_at = ${laterBy}
        where ${change} and tries < ${delays_s.length}`)
    },
    async followed({ messageId, changedAt }) {
      await database.any(sql.type(nothing)`
        delete from messages.changed_sources where message_id = ${messageId} and changed_at = ${changedAt}::timestamptz`)
    },
  }
}
