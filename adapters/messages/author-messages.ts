import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AuthorMessages,
  PlacedMessage,
  ShredProgress,
  WebhookImage,
} from '../../application/ports/author-messages.ts'
import { channelId, guildId, messageId, webhookId } from '../../domain/ids/ids.ts'
import { snowflakeMax, type Snowflake } from '../../domain/ids/snowflake.ts'
import { anonymising } from './anonymise.ts'
import { deletedFrom } from './deleted-from.ts'
import { bigints } from './message-rows.ts'
import { countDeleted } from './tallies.ts'
import { noticeColumns, type Notices } from './tell.ts'

/** The number of messages on each page of the walk over an author's messages. */
export const authorPage_count = 200

const tallyRow = z
  .object({
    message_count: z.coerce.number(),
    channel_count: z.coerce.number(),
    paged_channel_count: z.coerce.number(),
    newest: z.string().nullable(),
  })
  .transform((row) => ({
    message_count: row.message_count,
    channel_count: row.channel_count,
    pagedChannel_count: row.paged_channel_count,
    newest: row.newest === null ? null : messageId(row.newest as Snowflake),
  }))

interface PlacedColumns {
  readonly id: Snowflake
  readonly channel_id: Snowflake
  readonly guild_id: Snowflake | null
}

const placedRow = rowOf((row: PlacedColumns): PlacedMessage => ({
  channelId: channelId(row.channel_id),
  messageId: messageId(row.id),
  guildId: row.guild_id === null ? null : guildId(row.guild_id),
}))

const imageRow = rowOf((row: { readonly webhook_id: Snowflake; readonly hash: string }): WebhookImage => ({
  webhookId: webhookId(row.webhook_id),
  hash: row.hash,
}))

const countRow = z.object({ deleted_count: z.coerce.number() })

const progressRow = z
  .object({ deleted_count: z.coerce.number(), channel_id: z.string(), message_id: z.string() })
  .transform((row): ShredProgress => ({
    deleted_count: row.deleted_count,
    last: { channelId: channelId(row.channel_id as Snowflake), messageId: messageId(row.message_id as Snowflake) },
  }))

const nothing = z.object({})

/** Adds to the progress of a job (`s`). */
const progressed = sql.fragment`
  on conflict (job_id) do update set deleted_count = s.deleted_count + excluded.deleted_count,
    channel_id = excluded.channel_id, message_id = excluded.message_id, written_at = excluded.written_at`

/** Counts, walks and deletes the messages of an author by the index over author, channel and id. */
export function messagesOfAuthors(database: Queries, notices: Notices, announce: () => void): AuthorMessages {
  return {
    ...anonymising(database),
    count: (author, upTo) =>
      database.one(sql.type(tallyRow)`
        with channels as (
          select m.channel_id, count(*) as count, max(m.id) as newest from messages.messages m
          where m.author_id = ${author} and m.id <= ${upTo ?? snowflakeMax.toString()} group by m.channel_id
        ), placed as (
          select count, newest, (sum(count) over (order by channel_id))::int8 as up_to from channels
        )
        select coalesce(sum(count), 0) as message_count, count(*) as channel_count,
          coalesce(sum((up_to - 1) / ${authorPage_count} - (up_to - count) / ${authorPage_count} + 1), 0) as paged_channel_count,
          max(newest) as newest
        from placed`),
    page: (author, { from, upTo, after, limit }) =>
      database.any(sql.type(placedRow)`
        select m.channel_id, m.id, m.guild_id from messages.messages m
        where m.author_id = ${author} and m.id <= ${upTo} and m.id >= ${from ?? '-1'}
          and (m.channel_id, m.id) > (${after?.channelId ?? '-1'}::int8, ${after?.messageId ?? '-1'}::int8)
        order by m.channel_id, m.id limit ${limit}`),
    imagesShown: (images) =>
      database.any(sql.type(imageRow)`
        select w.webhook_id, w.hash
        from unnest(
          ${bigints(images.map((image) => image.webhookId))}, ${sql.array(
            images.map(({ hash }) => hash),
            'text',
          )}
        ) as w (webhook_id, hash)
        where exists (
          select from messages.messages m
          where m.author_id = w.webhook_id and m.webhook ->> 'avatar' = w.hash)`),
    async shred(batch) {
      const { deleted_count } = await database.one(shredding(notices, batch))
      announce()
      return deleted_count
    },
    async pass(job, { channelId: channel, messageId: message }) {
      await database.any(sql.type(nothing)`
        insert into messages.shreds as s (job_id, deleted_count, channel_id, message_id)
        values (${job}, 0, ${channel}, ${message}) ${progressed}`)
    },
    shredded: async (job) =>
      (await database.maybeOne(sql.type(progressRow)`
        select deleted_count, channel_id, message_id from messages.shreds where job_id = ${job}`)) ?? {
        deleted_count: 0,
        last: null,
      },
  }
}

/**
 * The progress stands in the statement that deletes, so that a job which died counts nothing twice and forgets nothing. So does that the
 * copies of published messages go.
 */
function shredding(
  notices: Notices,
  { jobId, authorId, channelId: channel, ids, audience }: Parameters<AuthorMessages['shred']>[0],
) {
  const told = audience
    ? sql.fragment`, told as (
        insert into messages.notices (${noticeColumns})
        select ${notices.values('deleted_bulk', audience, sql.fragment`array_agg(id order by id)`)}
        from deleted having count(*) > 0
      )${countDeleted(audience)}`
    : sql.fragment``
  return sql.type(countRow)`
    with doomed as (
      select unnest(${bigints(ids)}) as id
    ), ${deletedFrom(channel, authorId)}${told}, unpublished as (
      insert into messages.changed_sources (message_id, channel_id, removed)
      select id, ${channel}::int8, true from deleted where (flags & 1) <> 0
      on conflict (message_id) do update
        set changed_at = clock_timestamp(), tries = 0, due_at = clock_timestamp(), removed = true
    ), progressed as (
      insert into messages.shreds as s (job_id, deleted_count, channel_id, message_id)
      select ${jobId}::int8, count(*), ${channel}::int8, ${ids.at(-1) ?? null}::int8 from deleted
      ${progressed}
    )
    select count(*) as deleted_count from deleted`
}
