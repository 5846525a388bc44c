import { accountId, messageId, type AccountId } from '../../../domain/ids/ids.js'
import { snowflake, snowflakeMax } from '../../../domain/ids/snowflake.js'
import type { CommandContext } from '../../commands/command-context.js'
import { derivedSnowflake } from '../../commands/derived-snowflake.js'
import { systemContext } from '../../commands/system-context.js'
import type { BackgroundTask } from '../../ports/background-jobs.js'
import type { Ports } from '../../ports.js'

export type AnonymisingNeeds = Pick<Ports, 'aggregates' | 'authorMessages' | 'backgroundJobs' | 'readModels'>

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

/**
 * Makes a fresh anonymous account the author of an erased account's messages, so that their author no longer leads to it
 * (reference stores 4.18, step 6). An account without messages gets none. Safe to repeat, and by several at once. Call it when no
 * request of the account can be under way. Rejects while a job deletes messages of the account, which it finds by their author, and
 * between two batches once the signal aborts: the next call goes on.
 */
export async function anonymiseMessages(
  needs: AnonymisingNeeds,
  erased: AccountId,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const { aggregates, authorMessages } = needs
  await refuseWhileDeleting(needs, erased)
  const anonymous = await anonymousAuthor(needs, erased, context)
  if (anonymous !== undefined) {
    while (await hasMessages(needs, erased)) {
      signal.throwIfAborted()
      await authorMessages.anonymise(erased, anonymous)
    }
    while (await authorMessages.anonymiseReplies(erased, anonymous)) signal.throwIfAborted()
  }
  await authorMessages.forgetAnonymousAuthor(erased)
  await aggregates.account.execute(erased, { type: 'NoteMessagesAnonymised', now: context.now }, context)
}

async function refuseWhileDeleting({ backgroundJobs }: AnonymisingNeeds, author: AccountId): Promise<void> {
  const active = await backgroundJobs.active(activeJobs_max)
  const isDeleting = active.some(
    ({ task, payload }) => deletingTasks.some((deleting) => deleting === task) && payload['user_id'] === author,
  )
  if (isDeleting) throw new Error('messages of the erased account are still being deleted')
}

async function hasMessages(
  { authorMessages }: Pick<AnonymisingNeeds, 'authorMessages'>,
  author: AccountId,
): Promise<boolean> {
  return (await authorMessages.page(author, { upTo: newestMessage, after: null, limit: 1 })).length > 0
}

/**
 * Undefined if no message needs one. The id is random and the command has no cause, so that no event leads from one account to the
 * other.
 */
async function anonymousAuthor(
  { aggregates, authorMessages, readModels }: AnonymisingNeeds,
  erased: AccountId,
  { now }: CommandContext,
): Promise<AccountId | undefined> {
  const chosen = await authorMessages.anonymousAuthorOf(erased)
  if (chosen === undefined && !(await hasMessages({ authorMessages }, erased))) return undefined
  const creating = systemContext('anonymous author', now)
  const random = Buffer.from(creating.randomBytes(random_bytes)).toString('hex')
  const wanted = chosen ?? accountId(derivedSnowflake(now, random))
  const anonymous = await authorMessages.chooseAnonymousAuthor(erased, wanted)
  await aggregates.account.execute(anonymous, { type: 'CreateAnonymousAccount', accountId: anonymous, now }, creating)
  await readModels.reached(creating.written)
  return anonymous
}
