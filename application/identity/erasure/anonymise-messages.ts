import { accountId, messageId, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake, snowflakeMax } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { derivedSnowflake } from '../../commands/derived-snowflake.ts'
import { systemContext } from '../../commands/system-context.ts'
import type { AnonymousAuthor } from '../../ports/author-messages.ts'
import type { BackgroundTask } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'

export type AnonymisingNeeds = Pick<
  Ports,
  | 'accountNotes'
  | 'aggregates'
  | 'authorMessages'
  | 'backgroundJobs'
  | 'reactions'
  | 'readModels'
  | 'readStates'
  | 'recentMentions'
  | 'savedMessages'
>

export interface AnonymisingLimits {
  /** Ends the work between two batches. */
  readonly signal: AbortSignal
  /** Longer than any request lives. */
  readonly requestLife_ms: number
}

/** The jobs that find messages by their author. */
const deletingTasks: readonly BackgroundTask[] = [
  'shred_messages',
  'delete_user_messages',
  'delete_scheduled_messages',
  'delete_filtered_messages',
]
/** More jobs than an instance has at a time. */
const activeJobs_max = 10_000
const newestMessage = messageId(snowflake(snowflakeMax.toString()))
const random_bytes = 16
/** How many anonymous accounts are made at once, and how few may be left before the next are made. */
export const spareAuthors_made = 32
export const spareAuthors_min = 16

/**
 * Makes an anonymous account the author of an erased account's messages, so that their author no longer leads to it
 * (rules/messages#erased-authors). An account without messages gets none. Call it when no request of the account can be
 * under way. All messages are gone through twice: somebody's reply or forward that was under way the first time may still name the
 * erased account, also if the message that it answers or shows is gone. Gives `later` until the second time is due. Safe to repeat, and by several at once. Rejects while a
 * job deletes messages of the account, which it finds by their author, and between two batches once the signal aborts:
 * the next call goes on.
 */
export async function anonymiseMessages(
  needs: AnonymisingNeeds,
  erased: AccountId,
  context: CommandContext,
  { signal, requestLife_ms }: AnonymisingLimits,
): Promise<'done' | 'later'> {
  const { aggregates, authorMessages } = needs
  await refuseWhileDeleting(needs, erased)
  // One may have been under way when the account was erased.
  await needs.reactions.removeAllOf(erased)
  while (await authorMessages.anonymiseForwards(erased)) signal.throwIfAborted()
  await needs.readStates.removeAllOf(erased)
  await needs.savedMessages.removeAllOf(erased)
  await needs.recentMentions.removeAllOf(erased)
  await needs.accountNotes.removeAllOf(erased)
  const author = await anonymousAuthor(needs, erased, context)
  if (author) {
    const { passed_ms } = author
    if (passed_ms !== null && passed_ms < requestLife_ms) return 'later'
    await passThrough(needs, erased, author, signal)
    if (passed_ms === null) {
      await authorMessages.notePassed(erased)
      return 'later'
    }
  } else {
    while (await authorMessages.forgetAnswered(erased)) signal.throwIfAborted()
    const passed_ms = await authorMessages.notePassedWithout(erased)
    if (passed_ms === null || passed_ms < requestLife_ms) return 'later'
  }
  await authorMessages.forgetAnonymousAuthor(erased)
  await aggregates.account.execute(erased, { type: 'NoteMessagesAnonymised', now: context.now }, context)
  return 'done'
}

async function refuseWhileDeleting({ backgroundJobs }: AnonymisingNeeds, author: AccountId): Promise<void> {
  const active = await backgroundJobs.active(activeJobs_max)
  const isDeleting = active.some(
    ({ task, payload }) => deletingTasks.some((deleting) => deleting === task) && payload['user_id'] === author,
  )
  if (isDeleting) throw new Error('messages of the erased account are still being deleted')
}

async function passThrough(
  needs: AnonymisingNeeds,
  erased: AccountId,
  { authorId }: AnonymousAuthor,
  signal: AbortSignal,
): Promise<void> {
  const { authorMessages } = needs
  while (await hasMessages(needs, erased)) {
    signal.throwIfAborted()
    await authorMessages.anonymise(erased, authorId)
  }
  while (await authorMessages.anonymiseReplies(erased, authorId)) signal.throwIfAborted()
  while (await authorMessages.forgetAnswered(erased)) signal.throwIfAborted()
}

async function hasMessages(
  { authorMessages }: Pick<AnonymisingNeeds, 'authorMessages'>,
  author: AccountId,
): Promise<boolean> {
  return (await authorMessages.page(author, { upTo: newestMessage, after: null, limit: 1 })).length > 0
}

/** Undefined if no message needs one. */
async function anonymousAuthor(
  needs: AnonymisingNeeds,
  erased: AccountId,
  { now }: CommandContext,
): Promise<AnonymousAuthor | undefined> {
  const { authorMessages } = needs
  const earlier = await authorMessages.anonymousAuthorOf(erased)
  if (earlier || !(await hasMessages(needs, erased))) return earlier
  if ((await authorMessages.spareAuthorCount()) === 0) await makeSpareAuthors(needs, now)
  const drawn = await authorMessages.drawAnonymousAuthor(erased)
  if ((await authorMessages.spareAuthorCount()) < spareAuthors_min) await makeSpareAuthors(needs, now)
  if (!drawn) throw new Error('others have drawn all anonymous accounts')
  return drawn
}

/**
 * Makes many anonymous accounts at one instant. Which of them an erased account draws, and when, is in no event: so neither their
 * ids, nor their times, nor their positions in history lead to the erased account.
 */
async function makeSpareAuthors(
  { aggregates, authorMessages, readModels }: AnonymisingNeeds,
  now: Timestamp,
): Promise<void> {
  const creating = systemContext('anonymous authors', now)
  const made: AccountId[] = []
  for (let count = 0; count < spareAuthors_made; count += 1) {
    const random = Buffer.from(creating.randomBytes(random_bytes)).toString('hex')
    const id = accountId(derivedSnowflake(now, random))
    await aggregates.account.execute(id, { type: 'CreateAnonymousAccount', accountId: id, now }, creating)
    made.push(id)
  }
  await readModels.reached(creating.written)
  await authorMessages.addSpareAuthors(made)
}
