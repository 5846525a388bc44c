import { z } from 'zod'
import { newsOf } from '../../application/concurrency/news.ts'
import type { Piece } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { AuthorMessages } from '../../application/ports/author-messages.ts'
import type { MessageNotice, MessageNotices, Messages } from '../../application/ports/messages.ts'
import type { Copies } from '../../application/ports/copies.ts'
import type { AccountNotes } from '../../application/ports/account-notes.ts'
import type { RecentMentions } from '../../application/ports/recent-mentions.ts'
import type { SavedMessages } from '../../application/ports/saved-messages.ts'
import type { ReadStates } from '../../application/ports/read-states.ts'
import type { Reactions } from '../../application/ports/reactions.ts'
import type { MessageSearch } from '../../application/ports/message-search.ts'
import type { Notifier } from '../../application/ports/notifier.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { messageId, type ChannelId, type MessageId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { messagesOfAuthors } from './author-messages.ts'
import { changing } from './change.ts'
import { keepingCopies } from './copies.ts'
import { keepingDeletions } from './deletions.ts'
import { followingNotices } from './follow-notices.ts'
import { accountNotes } from './account-notes.ts'
import { cachedLastMessages } from './cached-last-messages.ts'
import { monthsIn } from './months.ts'
import { pinning } from './pins.ts'
import { posting } from './post.ts'
import { reacting } from './reactions.ts'
import { reading } from './read.ts'
import { recentMentions } from './recent-mentions.ts'
import { readStates } from './read-states.ts'
import { searching } from './search.ts'
import { indexedAtOnce_count, indexMissing } from './index-words.ts'
import { savedMessages } from './saved-messages.ts'
import { noticesAfter } from './tell.ts'
import { removeStragglers, removingChannels } from './removed-channels.ts'
import { counting } from './tallies.ts'

export interface MessagesSettings {
  readonly database: PostgresDatabase
  /**
   * The position that the read models hold by which requests decide on messages, as an expression of SQL: notices are delivered
   * after it.
   */
  readonly heldPosition: Piece
  /** Tells other processes of new notices. */
  readonly notifier: Notifier
  /**
   * Whether no other process writes messages or sends notices. Then no other process is notified, and the last message of each
   * channel is cached.
   */
  readonly isAlone?: boolean
  /** Whether this process deletes what is no longer needed, as servers do. */
  readonly trims?: boolean
  /** Called for errors outside any request. The work is retried. */
  readonly onError: (error: unknown) => void
}

export interface OpenMessages {
  readonly messages: Messages
  readonly authorMessages: AuthorMessages
  readonly reactions: Reactions
  readonly readStates: ReadStates
  readonly savedMessages: SavedMessages
  readonly recentMentions: RecentMentions
  readonly accountNotes: AccountNotes
  readonly messageSearch: MessageSearch
  readonly copies: Copies
  readonly notices: MessageNotices
  /** Puts messages into the index of words that are not in it yet, until none is left. Gives how many they were. */
  indexMissing(): Promise<number>
  /** The highest id in the last 1000 changes to messages; undefined if there is none. */
  newestId(): Promise<MessageId | undefined>
  /**
   * Deletes what is no longer needed: notices, paces of slow mode, records of what was posted once, and messages written into
   * removed channels. Runs every `trimEvery_ms` by itself.
   */
  trim(): Promise<void>
  close(): Promise<void>
}

/** How long a notice is kept. A reader that falls further behind has to start over. */
const noticeLife_s = 300
const trimEvery_ms = 30_000
/** The longest slow mode. */
const slowMode_s_max = 21_600
const trimmedRows_max = 20_000
/** As long as the records of jobs are kept. */
const shredLife_days = 90
/** How often a Gateway looks by itself: calls of other processes can get lost, those of its own can't. */
const poll_ms = { beside: 250, alone: 5000 }
const noticesTopic = 'messages_notices'
const nothing = z.object({})
// Deletions may name ids that no process made.
const newestIdQuery = sql.type(
  z.object({
    id: z
      .string()
      .nullable()
      .transform((id) => (id === null ? undefined : messageId(snowflake(id)))),
  }),
)`
  select max(m.id) as id from (
    select message_ids from messages.notices where kind = 'created' order by number desc limit 1000
  ) n, unnest(n.message_ids) as m (id)`
const countRow = z.object({ count: z.int() })

/** Messages in the schema `messages`. Any number of processes may open it. */
export function openMessages(settings: MessagesSettings): OpenMessages {
  const { database, heldPosition, notifier, isAlone = false, trims = true, onError } = settings
  const calls = newsOf<number>(0, isAlone ? poll_ms.alone : poll_ms.beside)
  const callOwn = (): void => calls.announce(calls.newest() + 1)
  // Not part of the transaction that writes them, because Postgres commits transactions that notify one after another.
  const announce = (): void => {
    callOwn()
    if (!isAlone) notifier.tell(noticesTopic, '')
  }
  const following = followingNotices(database, calls, onError)
  let stopListening: (() => void) | undefined
  const noticeParts = noticesAfter(heldPosition)
  const parts = { months: monthsIn(database), notices: noticeParts, announce }
  const stored = {
    ...posting(database, parts),
    ...reading(database),
    ...changing(database, noticeParts, announce),
    ...pinning(database, parts),
    ...removingChannels(database),
    ...counting(database),
    ...keepingDeletions(database),
  }
  const ofAuthors = messagesOfAuthors(database, noticeParts, announce)
  const held = isAlone ? cachedLastMessages(stored) : undefined
  // Trimming may delete the last message of a removed channel.
  const trimming = (): Promise<void> => trim(database).finally(() => held?.forgetAll())
  const timer = trims ? setInterval(() => void trimming().catch(onError), trimEvery_ms).unref() : undefined
  return {
    messages: { ...stored, ...held?.messages },
    authorMessages: held
      ? { ...ofAuthors, shred: (batch) => held.writing([batch.channelId], () => ofAuthors.shred(batch)) }
      : ofAuthors,
    reactions: reacting(database, noticeParts, announce),
    readStates: readStates(database, noticeParts, announce),
    savedMessages: savedMessages(database, noticeParts, announce),
    recentMentions: recentMentions(database, noticeParts, announce),
    accountNotes: accountNotes(database, noticeParts, announce),
    messageSearch: searching(database),
    indexMissing: () => indexAllMissing(database),
    copies: keepingCopies(database),
    notices: {
      ...following,
      follow: (after, signal) => {
        if (!isAlone) stopListening ??= notifier.subscribe(noticesTopic, { onText: callOwn, onHearing: callOwn })
        const notices = following.follow(after, signal)
        return held ? forgetting(notices, held.forget) : notices
      },
    },
    newestId: async () => (await database.one(newestIdQuery)).id,
    trim: trimming,
    async close() {
      clearInterval(timer)
      stopListening?.()
    },
  }
}

/** Forgets the cached channels of notices before it passes the notices on. */
async function* forgetting(
  pages: AsyncIterable<readonly MessageNotice[]>,
  forget: (channels: readonly ChannelId[]) => void,
): AsyncGenerator<readonly MessageNotice[]> {
  for await (const notices of pages) {
    forget(notices.map(({ channelId }) => channelId))
    yield notices
  }
}

async function trim(database: PostgresDatabase): Promise<void> {
  // Without a bound: otherwise, notices written faster than the bound would never be deleted.
  for (let trimmed = trimmedRows_max; trimmed === trimmedRows_max;) trimmed = await trimNotices(database)
  const slowModeAgo = sql.fragment`clock_timestamp() - make_interval(secs => ${slowMode_s_max})`
  await database.any(sql.type(nothing)`delete from messages.paces where taken_at < ${slowModeAgo}`)
  await database.any(sql.type(nothing)`delete from messages.thread_paces where taken_at < ${slowModeAgo}`)
  await database.any(sql.type(nothing)`delete from messages.posted_once where kept_until <= clock_timestamp()`)
  await database.any(
    sql.type(nothing)`delete from messages.shreds where written_at < now() - make_interval(days => ${shredLife_days})`,
  )
  await removeStragglers(database)
}

/** Deletes the oldest expired notices, at most `trimmedRows_max`, and gives how many. */
async function trimNotices(database: PostgresDatabase): Promise<number> {
  const { count } = await database.one(sql.type(countRow)`
    with gone as (
      delete from messages.notices where number in (
        select number from messages.notices where written_at < now() - make_interval(secs => ${noticeLife_s})
        order by number limit ${trimmedRows_max} for update skip locked)
      returning number
    ), marked as (
      update messages.trimmed set up_to = greatest(up_to, (select max(number) from gone)) where exists (select from gone)
    )
    select count(*)::int4 as count from gone`)
  return count
}

async function indexAllMissing(database: PostgresDatabase): Promise<number> {
  let indexed_count = 0
  for (let found_count = indexedAtOnce_count; found_count === indexedAtOnce_count;) {
    found_count = await indexMissing(database)
    indexed_count += found_count
  }
  return indexed_count
}
