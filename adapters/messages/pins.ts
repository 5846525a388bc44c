import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { Messages } from '../../application/ports/messages.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { keptUnrecorded } from './deletions.ts'
import { lowestIdAt, messageColumns, messageRow } from './message-rows.ts'
import type { PostingParts } from './post.ts'
import { write } from './post.ts'
import { noticeColumns } from './tell.ts'

const idRow = z.object({ id: z.string() })

/** Pins: what pins or unpins a message, tells of it and says so in the channel happens whole or not at all. */
export function pinning(
  database: PostgresDatabase,
  { months, notices, announce }: PostingParts,
): Pick<Messages, 'pin' | 'pins'> {
  return {
    async pin({ messageId, pinnedAt, audience, said, unrecorded }) {
      if (said) await months.lay(said.id)
      const hasChanged = await database.transaction(async (queries) => {
        const changed = await queries.any(sql.type(idRow)`
          with changed as (
            update messages.messages m set pinned_at = ${pinnedAt}::timestamptz
            where m.channel_id = ${audience.channelId} and m.id = ${messageId}
              and (m.pinned_at is null) = (${pinnedAt}::timestamptz is not null)
            returning m.id, m.author_id
          ), last as (
            insert into messages.last_pins as p (channel_id, pinned_at)
            select ${audience.channelId}::int8, ${pinnedAt}::timestamptz from changed where ${pinnedAt}::timestamptz is not null
            on conflict (channel_id) do update set pinned_at = greatest(p.pinned_at, excluded.pinned_at)
          ), told as (
            insert into messages.notices (${noticeColumns})
            select ${notices.values('updated', audience, sql.fragment`array[id]`, sql.fragment`author_id`)} from changed
          ), told_of_pins as (
            insert into messages.notices (${noticeColumns})
            select ${notices.values('pins', audience, sql.fragment`array[id]`)} from changed
          )${keptUnrecorded(unrecorded, sql.fragment`changed`)}
          select id from changed`)
        if (changed.length > 0 && said) await write(queries, notices, { message: said, audience })
        return changed.length > 0
      })
      if (hasChanged) announce()
      return hasChanged
    },
    async pins(channel, { before, from, limit }) {
      const low = from === undefined ? sql.fragment`` : sql.fragment`and m.id >= ${lowestIdAt(msOf(from))}`
      const high = before === undefined ? sql.fragment`` : sql.fragment`and m.pinned_at < ${before}::timestamptz`
      return database.any(sql.type(messageRow)`
        select ${messageColumns} from messages.messages m
        where m.channel_id = ${channel} and m.pinned_at is not null ${low} ${high}
        order by m.pinned_at desc, m.id desc limit ${limit}`)
    },
  }
}
