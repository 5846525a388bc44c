import pg from 'pg'
import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Message, Messages, Posted, Posting, ThreadTurn } from '../../application/ports/messages.ts'
import type { ChannelId, MessageId } from '../../domain/ids/ids.ts'
import { msOf } from '../../domain/kernel/timestamp.ts'
import { snowflakeMs } from '../../domain/ids/snowflake.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { bigints, jsonList, lowestIdAt, messageColumns, messageRow, writtenColumns } from './message-rows.ts'
import { filesTaken, holdsFiles } from './files-of-messages.ts'
import { wordsColumn } from './index-words.ts'
import type { Months } from './months.ts'
import { hasRival, isPlain, postingTogether } from './post-together.ts'
import { countPosted } from './tallies.ts'
import { postedForReaders } from './posted-for-readers.ts'
import { noticeColumns, type Notices } from './tell.ts'

/** How long a nonce gives the first message again. */
export const nonceLife_ms = 5 * 60_000

const nothing = z.object({})
/** SQLSTATE of a row without a partition. */
const checkViolation = '23514'
const idRow = z.object({ id: z.string() })
const notedRow = z.object({ message_id: z.string() })
const paceRow = z.object({ last_id: z.string(), since_ms: z.number() })

type Author = Pick<Message, 'channelId' | 'authorId'>

export interface PostingParts {
  readonly months: Months
  readonly notices: Notices
  readonly announce: () => void
}

/**
 * Posting. Two messages of one author in one channel can race for a nonce or for the pace of slow mode. A lock for that author
 * and channel, held until the message is written, decides it. A message with neither is one statement, which it may share.
 */
export function posting(
  database: PostgresDatabase,
  { months, notices, announce }: PostingParts,
): Pick<Messages, 'post' | 'postedBefore' | 'sentWith' | 'takeThreadTurn'> {
  const postNow = (wanted: Posting): Promise<Posted> =>
    hasRival(wanted)
      ? database.transaction((queries) => postInTurn(queries, notices, wanted))
      : write(database, notices, wanted)
  const alone = async (wanted: Posting): Promise<Posted> => {
    try {
      return await postNow(wanted)
    } catch (error) {
      if (!findsNoPart(error)) throw error
      await months.layAnew(wanted.message.id)
      return postNow(wanted)
    }
  }
  const together = postingTogether({ queries: database, notices, alone })
  return {
    postedBefore: (channel, id) => postedBefore(database, channel, id),
    sentWith: (nonce, by, now) => firstOf(database, by, nonce, msOf(now)),
    takeThreadTurn: (turn) =>
      database.transaction(async (queries) => {
        await waitForRivals(queries, turn)
        return (await waitFor(queries, turn, turn.slowMode_s * 1000, sql.fragment`messages.thread_paces`)) / 1000
      }),
    async post(wanted) {
      await months.lay(wanted.message.id)
      const posted = await (isPlain(wanted) ? together(wanted) : alone(wanted))
      if (posted.outcome === 'posted') announce()
      return posted
    },
  }
}

/**
 * Under heavy load, a connection was observed that did not know of a finished partition. The table has no other constraint that
 * a row could violate.
 */
function findsNoPart(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === checkViolation
}

async function postInTurn(queries: Queries, notices: Notices, wanted: Posting): Promise<Posted> {
  const { message, nonce, once_ms, slowMode_s = 0 } = wanted
  await waitForRivals(queries, message)
  const before = once_ms === undefined ? undefined : await postedBefore(queries, message.channelId, message.id)
  if (before) return repeated(before)
  const first = nonce === undefined ? undefined : await firstOf(queries, message, nonce, snowflakeMs(message.id))
  if (first && once_ms !== undefined) await queries.any(sql.type(nothing)`${noting(message, once_ms, first.id)}`)
  if (first) return { outcome: 'repeated', message: first }
  const wait_ms = slowMode_s > 0 ? await waitFor(queries, message, slowMode_s * 1000, sql.fragment`messages.paces`) : 0
  if (wait_ms > 0) return { outcome: 'slowed', retryAfter_s: wait_ms / 1000 }
  return write(queries, notices, wanted)
}

async function waitForRivals(queries: Queries, { channelId, authorId }: Author): Promise<void> {
  const turn = `${channelId} ${authorId}`
  await queries.any(sql.type(nothing)`select pg_advisory_xact_lock(1196771691, hashtext(${turn}))`)
}

/** The message that the author posted in the channel with this nonce, while the nonce lives. */
async function firstOf(
  queries: Queries,
  { channelId, authorId }: Author,
  nonce: string,
  now_ms: number,
): Promise<Message | undefined> {
  const since = lowestIdAt(now_ms - nonceLife_ms)
  return queries.maybeOne(sql.type(messageRow)`
    select ${messageColumns} from messages.messages m
    where m.author_id = ${authorId} and m.channel_id = ${channelId} and m.id >= ${since}
      and m.nonce = ${nonce}
    order by m.id limit 1`)
}

/**
 * Milliseconds until the author may post again. If that is 0, this sets the pace for the next message. Postgres' clock counts;
 * if it was set back, nobody waits for the old time.
 */
async function waitFor(
  queries: Queries,
  { id, channelId, authorId }: Author & Pick<ThreadTurn, 'id'>,
  pace_ms: number,
  paces: ReturnType<typeof sql.fragment>,
): Promise<number> {
  const last = await queries.maybeOne(sql.type(paceRow)`
    select last_id, extract(epoch from clock_timestamp() - taken_at)::float8 * 1000 as since_ms
    from ${paces} where channel_id = ${channelId} and author_id = ${authorId}`)
  const wait_ms = last && last.last_id !== id && last.since_ms >= 0 ? pace_ms - last.since_ms : 0
  if (wait_ms > 0) return wait_ms
  await queries.any(sql.type(nothing)`
    insert into ${paces} (channel_id, author_id, last_id) values (${channelId}, ${authorId}, ${id})
    on conflict (channel_id, author_id) do update set last_id = excluded.last_id,
      taken_at = case when ${paces}.last_id = excluded.last_id then ${paces}.taken_at else clock_timestamp() end`)
  return 0
}

/** Writes the message and its notice: both or neither. */
export async function write(queries: Queries, notices: Notices, wanted: Posting): Promise<Posted> {
  const { message, nonce, once_ms, audience } = wanted
  const { id, channelId, guildId, authorId, reference } = message
  const isOnce = once_ms !== undefined
  const known = isOnce ? sql.fragment`select from known` : sql.fragment`select`
  const rows = await queries.any(sql.type(idRow)`
    with ${isOnce ? sql.fragment`known as (${noting(message, once_ms)} returning id),` : sql.fragment``} posted as (
      insert into messages.messages (${writtenColumns}, by_bot, nonce, words)
      select
        ${id}::int8, ${channelId}::int8, ${guildId}::int8, ${authorId}::int8, ${message.type}::int2, ${message.flags}::int4,
        ${message.content}, ${message.editedAt}::timestamptz, ${message.tts}::bool, ${message.mentionsEveryone}::bool,
        ${message.mentionsHere}::bool, ${bigints(message.mentions)}, ${bigints(message.mentionRoles)},
        ${reference === null ? null : JSON.stringify(reference)}::jsonb, ${jsonList(message.embeds)},
        ${jsonList(message.attachments)}, ${jsonList(message.stickers)}, ${jsonList(message.snapshots)}, ${message.pinnedAt}::timestamptz,
        ${message.webhook === undefined ? null : JSON.stringify(message.webhook)}::jsonb, ${wanted.isByBot === true ? true : null}::bool,
        ${nonce ?? null},
        ${wordsColumn(message)}
      where exists (${known})
      on conflict (channel_id, id) do nothing
      returning id, channel_id, embeds, attachments, snapshots
    ), told as (
      insert into messages.notices (${noticeColumns})
      select ${notices.values('created', audience, sql.fragment`array[id]`, sql.fragment`${authorId}::int8`)} from posted
    )${postedForReaders(wanted)}${countPosted(audience)}${holdsFiles(message) ? filesTaken('posted') : sql.fragment``}
    select id from posted`)
  if (rows.length > 0) return { outcome: 'posted', message }
  const before = await postedBefore(queries, channelId, id)
  return before ? repeated(before) : { outcome: 'repeated', message }
}

function repeated(before: Message | 'gone'): Posted {
  return before === 'gone' ? { outcome: 'gone' } : { outcome: 'repeated', message: before }
}

/** The message that a step posted or found posted, if it was recorded or still exists. */
async function postedBefore(
  queries: Queries,
  channelId: ChannelId,
  id: MessageId,
): Promise<Message | 'gone' | undefined> {
  const noted = await queries.maybeOne(sql.type(notedRow)`
    select coalesce(message_id, id) as message_id from messages.posted_once where id = ${id} and channel_id = ${channelId}`)
  const there = await queries.maybeOne(sql.type(messageRow)`
    select ${messageColumns} from messages.messages m
    where m.channel_id = ${channelId} and m.id = ${noted?.message_id ?? id}`)
  return there ?? (noted && 'gone')
}

/**
 * Records, before posting, that a step posts this message; does nothing if it is recorded already. `found`: the other message
 * that it stands for.
 */
function noting({ id, channelId }: Message, once_ms: number, found: MessageId | null = null) {
  return sql.fragment`
    insert into messages.posted_once (id, channel_id, message_id, kept_until)
    values (${id}::int8, ${channelId}::int8, ${found}::int8, clock_timestamp() + make_interval(secs => ${once_ms / 1000}))
    on conflict do nothing`
}
