import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Message, Messages, MessageAudience } from '../../application/ports/messages.ts'
import { channelId, type AccountId, type ChannelId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import { bigints, jsonList, lowestIdAt, messageColumns, messageRow } from './message-rows.ts'
import { filesLeft, filesTaken } from './files-of-messages.ts'
import { deletedFrom } from './deleted-from.ts'
import { writeWords } from './index-words.ts'
import { keptUnrecorded } from './deletions.ts'
import { reading } from './read.ts'
import { countDeleted } from './tallies.ts'
import { noticeColumns, type Notices } from './tell.ts'

type Changes = Pick<Messages, 'edit' | 'remove' | 'removeOfAuthor'>

const bulk_max = 100
const foundRow = z.object({ found_count: z.coerce.number() })
const batchRow = foundRow.extend({ deleted_count: z.coerce.number() })
const channelRow = z.object({ channel_id: z.string().transform((id) => channelId(snowflake(id))) })

/** Every change and its notice are one statement: both happen or neither. */
export function changing(database: Queries, notices: Notices, announce: () => void): Changes {
  const written = [database, notices, announce] as const
  return { ...editing(...written), ...removing(...written), ...clearing(...written) }
}

function editing(database: Queries, notices: Notices, announce: () => void): Pick<Changes, 'edit'> {
  return {
    async edit(message, changes, audience) {
      const edited = await database.maybeOne(sql.type(messageRow)`
        with edited as (
          update messages.messages m set (${changedColumns}) = row(${changedTo(changes)})
          where m.channel_id = ${audience.channelId} and m.id = ${message}
            and (${changedTo(changes)}) is distinct from (${heldNow}) ${unlessOver(changes.onlyOver)} ${unlessInsteadOf(changes.insteadOf)}
          returning ${messageColumns}
        ), told as (
          insert into messages.notices (${noticeColumns})
          select ${notices.values('updated', audience, sql.fragment`array[id]`, sql.fragment`author_id`)} from edited
        )${changes.embeds || changes.attachments ? sql.fragment`${filesTaken('edited')}${filesLeft}` : sql.fragment``}
        select * from edited`)
      if (!edited) {
        const found = await reading(database).find(audience.channelId, message)
        return found && isOvertaken(found, changes.insteadOf) ? 'overtaken' : found
      }
      announce()
      // The edit has emptied them. What is lost here, a worker writes.
      await writeWords(database, [edited])
      return edited
    },
  }
}

const changedColumns = sql.fragment`
  content, flags, edited_at, mentions, mention_roles, mentions_everyone, embeds, attachments, stickers`
const heldNow = sql.fragment`m.content, m.flags, m.edited_at, m.mentions, m.mention_roles, m.mentions_everyone,
  m.embeds, m.attachments, m.stickers`

const unlessOver = (content: string | undefined) =>
  content === undefined ? sql.fragment`` : sql.fragment`and m.content = ${content} and m.embeds is null`

type Boxes = Parameters<Messages['edit']>[1]['insteadOf']

const unlessInsteadOf = (held: Boxes) =>
  held === undefined
    ? sql.fragment``
    : sql.fragment`and (m.embeds, m.attachments) is not distinct from (${jsonList(held.embeds)}, ${jsonList(held.attachments)})`

function isOvertaken({ embeds, attachments }: Message, held: Boxes): boolean {
  return held !== undefined && !isDeepStrictEqual({ embeds, attachments }, held)
}

/** Every bit of the column. */
const allFlags = -1

/** The new values of a row's changed columns. Columns that are not given stay as they are. */
function changedTo({
  content,
  flags,
  flagsMask = allFlags,
  editedAt,
  mentions,
  mentionRoles,
  mentionsEveryone,
  embeds,
  attachments,
  stickers,
}: Parameters<Messages['edit']>[1]) {
  return sql.fragment`
    coalesce(${content ?? null}, m.content), coalesce((m.flags & ~${flagsMask}::int4) | (${flags ?? null}::int4 & ${flagsMask}::int4), m.flags),
    coalesce(${editedAt ?? null}::timestamptz, m.edited_at), coalesce(${orNull(mentions)}, m.mentions),
    coalesce(${orNull(mentionRoles)}, m.mention_roles),
    coalesce(${mentionsEveryone ?? null}::boolean, m.mentions_everyone),
    ${embeds === undefined ? sql.fragment`m.embeds` : jsonList(embeds)},
    ${attachments === undefined ? sql.fragment`m.attachments` : jsonList(attachments)},
    ${stickers === undefined ? sql.fragment`m.stickers` : jsonList(stickers)}`
}

function removing(database: Queries, notices: Notices, announce: () => void): Pick<Changes, 'remove'> {
  return {
    async remove(ids, { bulk, unrecorded, ...audience }) {
      const told = bulk
        ? sql.fragment`select ${notices.values('deleted_bulk', audience, bigints(ids))}`
        : sql.fragment`select ${notices.values('deleted', audience, sql.fragment`array[id]`, sql.fragment`author_id`)} from deleted`
      const ofPins = bulk
        ? sql.fragment``
        : sql.fragment`select ${notices.values('pins', audience, sql.fragment`array[id]`)} from deleted where pinned_at is not null union all `
      const deleted = await database.any(sql.type(messageRow)`
        with deleted as (
          delete from messages.messages m where m.channel_id = ${audience.channelId} and m.id = any(${bigints(ids)})
          returning ${messageColumns}
        ), told as (
          insert into messages.notices (${noticeColumns}) ${ofPins}${told}
        )${countDeleted(audience)}${keptUnrecorded(unrecorded)}
        select * from deleted`)
      announce()
      return deleted
    },
  }
}

function clearing(database: Queries, notices: Notices, announce: () => void): Pick<Changes, 'removeOfAuthor'> {
  return {
    async removeOfAuthor(author, channels, { from, until } = {}) {
      const span = {
        from: from === undefined ? '0' : lowestIdAt(msOf(from)),
        until: until === undefined ? null : lowestIdAt(msOf(until)),
      }
      const written = await writtenIn(
        database,
        author,
        channels.map((channel) => channel.channelId),
        span,
      )
      let deleted_count = 0
      for (const channel of channels.filter((each) => written.has(each.channelId))) {
        for (let found = bulk_max; found === bulk_max;) {
          const batch = await removeBatch(database, notices, { author, audience: channel, span })
          found = batch.found_count
          deleted_count += batch.deleted_count
          announce()
        }
      }
      return { deleted_count }
    },
  }
}

const orNull = (ids: readonly string[] | undefined) => (ids === undefined ? sql.fragment`null::int8[]` : bigints(ids))

/** Ids from the first on, and below the second if there is one. */
interface Span {
  readonly from: string
  readonly until: string | null
}

const within = ({ from, until }: Span) =>
  until === null ? sql.fragment`m.id >= ${from}` : sql.fragment`m.id >= ${from} and m.id < ${until}`

/** The channels in which the author has written anything. */
async function writtenIn(
  database: Queries,
  author: AccountId,
  channels: readonly ChannelId[],
  span: Span,
): Promise<ReadonlySet<ChannelId>> {
  const rows = await database.any(sql.type(channelRow)`
    select distinct m.channel_id from messages.messages m
    where m.author_id = ${author} and m.channel_id = any(${bigints(channels)}) and ${within(span)}`)
  return new Set(rows.map((row) => row.channel_id))
}

/**
 * Deletes the author's oldest messages in a channel, at most `bulk_max`, with their notices. Another process may delete some of
 * the found messages first: there are no more messages if it found fewer than that, not if it deleted fewer.
 */
async function removeBatch(
  database: Queries,
  notices: Notices,
  { author, audience, span }: { readonly author: AccountId; readonly audience: MessageAudience; readonly span: Span },
): Promise<z.output<typeof batchRow>> {
  return database.one(sql.type(batchRow)`
    with doomed as (
      select m.id from messages.messages m
      where m.author_id = ${author} and m.channel_id = ${audience.channelId} and ${within(span)}
      order by m.id limit ${bulk_max}
    ), ${deletedFrom(audience.channelId, author)}, told as (
      insert into messages.notices (${noticeColumns})
      select ${notices.values('deleted_bulk', audience, sql.fragment`array_agg(id order by id)`)}
      from deleted having count(*) > 0
    )${countDeleted(audience)}
    select (select count(*) from doomed) as found_count, count(*) as deleted_count from deleted`)
}
