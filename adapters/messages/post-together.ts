import { asError } from '../../application/concurrency/as-error.ts'
import { atMost, inBatches } from '../../application/concurrency/batches.ts'
import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Posted, Posting } from '../../application/ports/messages.ts'
import { searchTermsOf } from '../../domain/messages/search-terms.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { listColumn, writtenColumns } from './message-rows.ts'
import { holdsFiles } from './files-of-messages.ts'
import { postedTogetherForReaders, readersOf } from './posted-for-readers.ts'
import { isCounted } from './tallies.ts'
import { givenPosition, noticeColumns, type Notices } from './tell.ts'

const together_max = 100
const waiting_max = 10_000

/** More messages wait to be written than the process takes. */
class TooManyMessages extends Unavailable {
  override readonly name = 'TooManyMessages'
  override readonly part = 'requests'
}

/** Whether a message may race another one of its author in its channel. */
export function hasRival({ nonce, slowMode_s = 0 }: Posting): boolean {
  return nonce !== undefined || slowMode_s > 0
}

/**
 * Whether a message may go into one statement with others: it races none of its author, no count depends on it, and
 * it has no files. */
export function isPlain(wanted: Posting): boolean {
  return !hasRival(wanted) && !isCounted(wanted.audience) && !holdsFiles(wanted.message)
}

/**
 * Posts plain messages. Those that arrive while others are being written go into one statement: the disk is waited for once. If that
 * fails for another reason than that Postgres is unavailable, or an id was there or recorded as posted, `alone` says what becomes
 * of each.
 */
export function postingTogether({
  queries,
  notices,
  alone,
}: {
  readonly queries: Queries
  readonly notices: Notices
  readonly alone: (wanted: Posting) => Promise<Posted>
}): (wanted: Posting) => Promise<Posted> {
  async function all(postings: readonly Posting[]): Promise<readonly (Posted | Error)[]> {
    const first = firstOfEach(postings)
    const written = await write(queries, notices, [...first]).catch((error: unknown) => {
      if (error instanceof Unavailable) throw error
      return new Set<string>()
    })
    return Promise.all(
      postings.map(async (wanted): Promise<Posted | Error> => {
        const { message } = wanted
        const isWritten = first.has(wanted) && written.has(message.id)
        return isWritten ? { outcome: 'posted', message } : alone(wanted).catch(asError)
      }),
    )
  }
  const batches = inBatches<Posting, Posted>({
    run: async (postings) => {
      const [first, ...others] = postings
      return first && others.length === 0 ? [await alone(first).catch(asError)] : all(postings)
    },
    begin: atMost(together_max),
    refusal: ({ items }) => (items < waiting_max ? undefined : new TooManyMessages('too many messages wait')),
  })
  return (wanted) => batches.add(wanted)
}

/** The first posting of each message: two tries of one step may arrive together. */
function firstOfEach(postings: readonly Posting[]): ReadonlySet<Posting> {
  const byMessage = new Map<string, Posting>()
  for (const wanted of postings) if (!byMessage.has(wanted.message.id)) byMessage.set(wanted.message.id, wanted)
  return new Set(byMessage.values())
}

const idRow = rowOf(({ id }: { readonly id: string }) => id)

/**
 * Writes the messages that are not there, with a notice each, in the order of the postings; gives the ids that were written. Those of
 * repeatable steps are recorded with them, and left out if they are recorded already. Every process records in the order of
 * the ids: so none waits for another that waits for it.
 */
async function write(queries: Queries, notices: Notices, postings: readonly Posting[]): Promise<ReadonlySet<string>> {
  const isAnyOnce = postings.some(({ once_ms }) => once_ms !== undefined)
  const ids = await queries.any(sql.type(idRow)`
    with items as materialized (
      select * from json_to_recordset(${JSON.stringify(postings.map(itemOf))}::json) as i (
        id int8, channel_id int8, guild_id int8, author_id int8, type int2, flags int4, content text, edited_at timestamptz,
        tts bool, mentions_everyone bool, mentions_here bool, mentions int8[], mention_roles int8[], reference jsonb,
        embeds jsonb, attachments jsonb, stickers jsonb, snapshots jsonb, pinned_at timestamptz, webhook jsonb, words text[], channel_type int2, parent_id int8, recipients int8[], after int8,
        ordinal int4, once_s float8, is_read bool, by_bot bool, targets int8[])
    ),${isAnyOnce ? known : sql.fragment``} posted as (
      insert into messages.messages (${writtenColumns}, by_bot, words)
      select ${writtenColumns}, by_bot, array_to_tsvector(words) from items ${isAnyOnce ? unlessKnown : sql.fragment``} order by ordinal
      on conflict (channel_id, id) do nothing
      returning id, channel_id
    ), told as (
      insert into messages.notices (${noticeColumns})
      select 'created', i.channel_id, i.channel_type, i.guild_id, i.parent_id, i.recipients,
        ${notices.after(sql.fragment`i.after`)}, array[i.id], i.author_id
      from posted p join items i on i.channel_id = p.channel_id and i.id = p.id order by i.ordinal
    )${postedTogetherForReaders(postings)}
    select id from posted`)
  return new Set(ids)
}

const known = sql.fragment`
    known as (
      insert into messages.posted_once (id, channel_id, kept_until)
      select id, channel_id, clock_timestamp() + make_interval(secs => once_s) from items where once_s is not null
      order by id, channel_id
      on conflict do nothing
      returning id, channel_id
    ),`
const unlessKnown = sql.fragment`where once_s is null or (id, channel_id) in (select k.id, k.channel_id from known k)`

/** The columns of a message and of its notice, and its position among the postings. */
function itemOf(posting: Posting, ordinal: number) {
  const { message, audience, once_ms } = posting
  return {
    id: message.id,
    channel_id: message.channelId,
    guild_id: message.guildId,
    author_id: message.authorId,
    type: message.type,
    flags: message.flags,
    content: message.content,
    edited_at: message.editedAt,
    tts: message.tts,
    mentions_everyone: message.mentionsEveryone,
    mentions_here: message.mentionsHere,
    mentions: message.mentions,
    mention_roles: message.mentionRoles,
    reference: message.reference,
    embeds: listColumn(message.embeds),
    attachments: listColumn(message.attachments),
    stickers: listColumn(message.stickers),
    snapshots: listColumn(message.snapshots),
    pinned_at: message.pinnedAt,
    webhook: message.webhook ?? null,
    words: searchTermsOf(message),
    channel_type: audience.channelType,
    parent_id: audience.parentId,
    recipients: audience.recipients,
    after: givenPosition(audience),
    ordinal,
    ...readersOf(posting),
    ...(posting.isByBot === true && { by_bot: true }),
    ...(once_ms !== undefined && { once_s: once_ms / 1000 }),
  }
}
