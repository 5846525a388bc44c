import { z } from 'zod'
import { newsOf } from '../../application/concurrency/news.js'
import { sql } from '../../application/ports/database.js'
import type { MessageNotice, MessageNotices, Messages } from '../../application/ports/messages.js'
import type { PostgresConnection, PostgresDatabase } from '../postgres/database.js'
import { listenTo } from '../postgres/listener.js'
import { messageId, type ChannelId, type MessageId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { changing } from './change.js'
import { keepingDeletions } from './deletions.js'
import { followingNotices } from './follow-notices.js'
import { lastAtHand } from './last-at-hand.js'
import { monthsIn } from './months.js'
import { posting } from './post.js'
import { reading } from './read.js'
import { removeStragglers, removingChannels } from './removed-channels.js'
import { counting } from './tallies.js'

export interface MessagesSettings {
  readonly database: PostgresDatabase
  /** The same server and database, for the connection that listens. */
  readonly connection: PostgresConnection
  /** Whether no other process writes messages or tells of them: then nobody else is told, and the last of each channel is kept. */
  readonly isAlone?: boolean
  /** Told of what goes wrong beside any request: it is tried again by itself. */
  readonly onError: (error: unknown) => void
}

export interface OpenMessages {
  readonly messages: Messages
  readonly notices: MessageNotices
  /** The highest id of the last 1000 changes to messages that are known; undefined where none is. */
  newestId(): Promise<MessageId | undefined>
  /**
   * Lets go of what is no longer needed: notices, paces of slow mode, what was posted once, and what was written into channels that
   * are removed. Done every `trimEvery_ms` by itself.
   */
  trim(): Promise<void>
  close(): Promise<void>
}

/** How long a notice is kept. Who falls further behind has to begin anew. */
const noticeLife_s = 300
const trimEvery_ms = 30_000
/** The longest slow mode (reference gateway 3.4). */
const slowMode_s_max = 21_600
const trimmedRows_max = 20_000
/** How often a Gateway looks by itself: calls of other processes can get lost, those of its own can't. */
const poll_ms = { beside: 250, alone: 5000 }
const noticesChannel = 'messages_notices'
const nobody = (): Promise<void> => Promise.resolve()
const nothing = z.object({})
// Deletions may name ids that nobody made.
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
export function openMessages({ database, connection, isAlone = false, onError }: MessagesSettings): OpenMessages {
  const calls = newsOf<number>(0, isAlone ? poll_ms.alone : poll_ms.beside)
  const callOwn = (): void => calls.announce(calls.newest() + 1)
  const { announce, told } = isAlone ? { announce: callOwn, told: nobody } : announcing(database, callOwn, onError)
  const { beginning, follow } = followingNotices(database, calls, onError)
  let listener: { close(): Promise<void> } | undefined
  const stored = {
    ...posting(database, monthsIn(database), announce),
    ...reading(database),
    ...changing(database, announce),
    ...removingChannels(database),
    ...counting(database),
    ...keepingDeletions(database),
  }
  const held = isAlone ? lastAtHand(stored) : undefined
  // What is trimmed may be the last of a channel that is gone.
  const trimming = (): Promise<void> => trim(database).finally(() => held?.forgetAll())
  const timer = setInterval(() => void trimming().catch(onError), trimEvery_ms).unref()
  return {
    messages: { ...stored, ...held?.messages },
    notices: {
      beginning,
      follow: (after, signal) => {
        if (!isAlone) listener ??= listenTo({ connection, channel: noticesChannel, onPayload: callOwn, onError })
        const notices = follow(after, signal)
        return held ? forgetting(notices, held.forget) : notices
      },
    },
    newestId: async () => (await database.one(newestIdQuery)).id,
    trim: trimming,
    async close() {
      clearInterval(timer)
      await told()
      await listener?.close()
    },
  }
}

/** Tells first of the channels that notices are of. */
async function* forgetting(
  pages: AsyncIterable<readonly MessageNotice[]>,
  forget: (channels: readonly ChannelId[]) => void,
): AsyncGenerator<readonly MessageNotice[]> {
  for await (const notices of pages) {
    forget(notices.map(({ channelId }) => channelId))
    yield notices
  }
}

/**
 * Tells all processes that there are notices, once for all that come while it is being told. It is no part of the transaction
 * that wrote them: Postgres lets transactions that notify commit only one after the other. `told` resolves when it is quiet.
 */
function announcing(database: PostgresDatabase, callOwn: () => void, onError: (error: unknown) => void) {
  let telling: Promise<void> | undefined
  let isWanted = false
  const tell = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      await database.any(sql.type(nothing)`select pg_notify(${noticesChannel}, '')`).catch(onError)
    }
    telling = undefined
  }
  return {
    announce: (): void => {
      callOwn()
      isWanted = true
      telling ??= tell()
    },
    told: async (): Promise<void> => telling,
  }
}

async function trim(database: PostgresDatabase): Promise<void> {
  // However many there are by now: with a bound to it, what is written faster than that would never go.
  for (let trimmed = trimmedRows_max; trimmed === trimmedRows_max;) trimmed = await trimNotices(database)
  const slowModeAgo = sql.fragment`clock_timestamp() - make_interval(secs => ${slowMode_s_max})`
  await database.any(sql.type(nothing)`delete from messages.paces where taken_at < ${slowModeAgo}`)
  await database.any(sql.type(nothing)`delete from messages.thread_paces where taken_at < ${slowModeAgo}`)
  await database.any(sql.type(nothing)`delete from messages.posted_once where kept_until < clock_timestamp()`)
  await removeStragglers(database)
}

/** Lets go of the oldest notices that are past their life, and gives how many: at most `trimmedRows_max`. */
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
