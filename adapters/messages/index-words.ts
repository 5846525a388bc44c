import { z } from 'zod'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Queries } from '../../application/ports/database.ts'
import type { Message } from '../../application/ports/messages.ts'
import { searchTermsOf } from '../../domain/messages/search-terms.ts'
import { messageColumns, messageRow } from './message-rows.ts'

export const indexedAtOnce_count = 200

const countRow = z.object({ count: z.int() })
const idRow = rowOf(({ id }: { readonly id: string }) => id)

/** The terms of a message as its column has them. */
export const wordsColumn = (message: Message) =>
  sql.fragment`array_to_tsvector(${sql.array([...searchTermsOf(message)], 'text')})`

/**
 * Puts messages into the index of words that are not in it, the newest first, at most `indexedAtOnce_count`, and gives how many it
 * found. Messages that change meanwhile stay out, for the next call. Several processes may do so at once.
 */
export async function indexMissing(queries: Queries): Promise<number> {
  const found = await queries.any(sql.type(messageRow)`
    select ${messageColumns} from messages.messages m where m.words is null
    order by m.id desc limit ${indexedAtOnce_count}`)
  await writeWords(queries, found)
  return found.length
}

/** Computes the words of messages and writes them, if what they follow from is still the same. */
export async function writeWords(queries: Queries, messages: readonly Message[]): Promise<void> {
  if (messages.length === 0) return
  const items = messages.map((message) => ({
    id: message.id,
    channel_id: message.channelId,
    content: message.content,
    flags: message.flags & 4,
    embeds: message.embeds,
    attachments: message.attachments,
    snapshots: message.snapshots,
    mentions: message.mentions,
    words: searchTermsOf(message),
  }))
  await queries.any(sql.type(idRow)`
    with items as materialized (
      select * from json_to_recordset(${JSON.stringify(items)}::json) as i (
        id int8, channel_id int8, content text, flags int4, embeds jsonb, attachments jsonb, snapshots jsonb, mentions int8[],
        words text[])
    ), locked as (
      select m.channel_id, m.id, i.words from messages.messages m join items i on m.channel_id = i.channel_id and m.id = i.id
      where m.content = i.content and m.flags & 4 = i.flags and m.mentions = i.mentions
        and coalesce(m.embeds, '[]') = i.embeds and coalesce(m.attachments, '[]') = i.attachments
        and coalesce(m.snapshots, '[]') = i.snapshots
      for no key update of m skip locked
    )
    update messages.messages m set words = array_to_tsvector(l.words)
    from locked l where m.channel_id = l.channel_id and m.id = l.id and m.words is distinct from array_to_tsvector(l.words)
    returning m.id`)
}

/** Computes the words of all messages anew, in the order of channels and ids. Tells how many are done after each step. */
export async function indexAll(
  queries: Queries,
  tell: (done_count: number, all_count: number) => void,
): Promise<number> {
  const { count: all_count } = await queries.one(
    sql.type(countRow)`select count(*)::int4 as count from messages.messages`,
  )
  let done_count = 0
  let after = { channelId: '-1', id: '-1' }
  for (;;) {
    const page = await queries.any(sql.type(messageRow)`
      select ${messageColumns} from messages.messages m
      where (m.channel_id, m.id) > (${after.channelId}::int8, ${after.id}::int8)
      order by m.channel_id, m.id limit ${indexedAtOnce_count}`)
    const last = page.at(-1)
    if (!last) return done_count
    await writeWords(queries, page)
    after = { channelId: last.channelId, id: last.id }
    done_count += page.length
    tell(done_count, all_count)
  }
}
