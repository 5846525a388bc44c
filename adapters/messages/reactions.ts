import { z } from 'zod'
import { asError } from '../../application/concurrency/as-error.ts'
import { atMost, inBatches, type Batches } from '../../application/concurrency/batches.ts'
import type { Queries } from '../../application/ports/database.ts'
import type { HeldReaction, ReactionChange, ReactionOutcome, Reactions } from '../../application/ports/reactions.ts'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { MessageType } from '../../domain/messages/message-types.ts'
import type { AccountId, ChannelId, MessageId } from '../../domain/ids/ids.ts'
import type { ReactionEmoji } from '../../domain/messages/reactions.ts'
import { bigints } from './message-rows.ts'
import { givenPosition, type Notices } from './tell.ts'

const together_max = 100
const waiting_max = 10_000
/** To so many messages an account's reactions are removed at a time. */
const removedMessages_max = 200

/** More changes to one message wait than the process takes. */
class TooManyReactions extends Unavailable {
  override readonly name = 'TooManyReactions'
  override readonly part = 'requests'
}

const outcomeRow = rowOf(({ outcome }: { readonly outcome: ReactionOutcome }) => outcome)

interface ReactionColumns {
  readonly channel_id: ChannelId
  readonly message_id: MessageId
  readonly account_id: AccountId
  readonly emoji: string
}

const reactionRow = rowOf((row: ReactionColumns): HeldReaction => ({
  channelId: row.channel_id,
  messageId: row.message_id,
  accountId: row.account_id,
  emoji: row.emoji,
}))
const accountRow = rowOf(({ account_id }: { readonly account_id: AccountId }) => account_id)
const passedRow = z.object({ passed: z.int() })

/** Before every id. */
const start = '-1'

/** `messages.change_reactions` has what becomes of a change. */
export function reacting(database: Queries, notices: Notices, announce: () => void): Reactions {
  return {
    change: changing(database, notices, announce),
    async of(accounts, messages) {
      if (accounts.length === 0 || messages.length === 0) return []
      return database.any(sql.type(reactionRow)`
        select r.channel_id, r.message_id, r.account_id, r.emoji
        from unnest(
          ${bigints(messages.map(({ channelId }) => channelId))}, ${bigints(messages.map(({ messageId }) => messageId))}
        ) as wanted (channel_id, message_id)
        join messages.reactions r on r.channel_id = wanted.channel_id and r.message_id = wanted.message_id
        where r.account_id = any(${bigints(accounts)})`)
    },
    accountsOf: ({ channelId, messageId, emoji }, after, limit) =>
      database.any(sql.type(accountRow)`
        select r.account_id from messages.reactions r
        where r.channel_id = ${channelId} and r.message_id = ${messageId} and r.emoji = ${emoji}
          and r.account_id > ${after ?? start}
        order by r.account_id limit ${limit}`),
    ofAccount: (account, after, limit) =>
      database.any(sql.type(reactionRow)`
        select r.channel_id, r.message_id, r.account_id, r.emoji from messages.reactions r
        where r.account_id = ${account} and (r.channel_id, r.message_id, r.emoji)
          > (${after?.channelId ?? start}::int8, ${after?.messageId ?? start}::int8, ${after?.emoji ?? ''}::text collate "C")
        order by r.channel_id, r.message_id, r.emoji limit ${limit}`),
    async removeAllOf(account) {
      for (let passed = removedMessages_max; passed === removedMessages_max;) {
        const row = await database.one(sql.type(passedRow)`
          select messages.drop_reactions_of(${account}, ${removedMessages_max}) as passed`)
        passed = row.passed
      }
    },
  }
}

/** The changes of one message that are under way. */
interface UnderWay {
  readonly batches: Batches<ReactionChange, ReactionOutcome>
  count: number
}

/**
 * Changes to one message wait for the lock of its row: so those that arrive in this process meanwhile go into one statement.
 * Changes to other messages wait for none of them.
 */
function changing(database: Queries, notices: Notices, announce: () => void): Reactions['change'] {
  const byMessage = new Map<string, UnderWay>()
  const begin = (): UnderWay => ({
    batches: inBatches<ReactionChange, ReactionOutcome>({
      run: (changes) => carryOut(database, notices, changes),
      begin: atMost(together_max),
      refusal: ({ items }) => (items < waiting_max ? undefined : new TooManyReactions('too many reactions wait')),
    }),
    count: 0,
  })
  return async (change) => {
    const key = [change.audience.channelId, change.messageId, ...change.without].join(' ')
    const underWay = byMessage.get(key) ?? begin()
    byMessage.set(key, underWay)
    underWay.count += 1
    try {
      const outcome = await underWay.batches.add(change)
      if (outcome === 'added' || outcome === 'removed') announce()
      return outcome
    } finally {
      underWay.count -= 1
      if (underWay.count === 0) byMessage.delete(key)
    }
  }
}

/** If the statement fails because of one of several changes, each is carried out alone, and only that one fails. */
async function carryOut(
  database: Queries,
  notices: Notices,
  changes: readonly ReactionChange[],
): Promise<readonly (ReactionOutcome | Error)[]> {
  try {
    return await carryOutTogether(database, notices, changes)
  } catch (error) {
    if (error instanceof Unavailable || changes.length === 1) throw error
    const outcomes: (ReactionOutcome | Error)[] = []
    for (const change of changes)
      outcomes.push(
        ...(await carryOutTogether(database, notices, [change]).catch((failure: unknown) => [asError(failure)])),
      )
    return outcomes
  }
}

async function carryOutTogether(
  database: Queries,
  notices: Notices,
  changes: readonly ReactionChange[],
): Promise<readonly ReactionOutcome[]> {
  const [first] = changes
  if (!first) return []
  const { audience, messageId, without } = first
  return database.any(sql.type(outcomeRow)`
    select * from messages.change_reactions(
      ${audience.channelId}::int8, ${messageId}::int8, ${typesArray(without)}, ${notices.after(sql.fragment`0`)},
      ${JSON.stringify(changes.map(changeAsJson))}::jsonb)`)
}

const typesArray = (types: readonly MessageType[]) => sql.array([...types], 'int2')

/** Ids as text: JSON numbers can't hold them. */
function changeAsJson(change: ReactionChange) {
  const { audience, kind } = change
  const place = {
    channel_type: audience.channelType,
    guild_id: audience.guildId,
    parent_id: audience.parentId,
    recipients: audience.recipients,
    after: givenPosition(audience),
  }
  if (kind === 'remove_all') return { kind, place }
  if (kind === 'remove_emoji') return { kind, place, emoji: emojiAsJson(change.emoji) }
  const { accountId, sessionId, emoji } = change
  const one = { kind, place, emoji: emojiAsJson(emoji), account_id: accountId, session_id: sessionId }
  if (kind === 'remove') return one
  const { mayBeFirst, users_max, emojis_max } = change
  return { ...one, may_be_first: mayBeFirst, users_max, emojis_max }
}

function emojiAsJson({ id, name, animated }: ReactionEmoji) {
  return { ...(id === null ? {} : { id }), name, ...(animated ? { animated } : {}) }
}
