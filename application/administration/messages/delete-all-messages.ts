import { messageId, type AccountId, type BackgroundJobId, type MessageId } from '../../../domain/ids/ids.ts'
import { composeSnowflake } from '../../../domain/ids/snowflake.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import type { BackgroundTasks, MessagesUpTo } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import { orderedBy } from '../jobs/ordered-work.ts'
import { queueOrderedWork } from '../jobs/queue-ordered-work.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import { shredFound, type ShredNeeds } from './shred-found.ts'

/** How many messages a part of a job looks up and deletes. */
export const shredChunk = 1000

export interface AllMessagesDeletion {
  readonly success: true
  readonly dry_run: boolean
  /** An upper bound: added up over pages. */
  readonly channel_count: number
  readonly message_count: number
  /** Only if something is to be deleted. */
  readonly job_id?: BackgroundJobId
}

/**
 * Counts every message of an account; unless it is a dry run, starts a job that deletes them. The job knows the newest
 * of them, so later messages stay. The account is not looked up. See rules/administration#messages.
 */
export function deleteAllMessages({
  authorMessages,
  backgroundJobs,
}: Pick<Ports, 'authorMessages' | 'backgroundJobs'>) {
  return async (caller: Caller, author: AccountId, dryRun: boolean): Promise<AllMessagesDeletion> => {
    const { message_count, pagedChannel_count, newest } = await authorMessages.count(author)
    const counts = { success: true, dry_run: dryRun, channel_count: pagedChannel_count, message_count } as const
    if (dryRun || newest === null) return counts
    const jobId = await queueOrderedWork({ backgroundJobs }, caller, {
      task: 'delete_user_messages',
      work: { author, upTo: newest, ...orderedBy(caller) },
      payload: { user_id: author, requested: message_count },
      total: message_count,
    })
    return { ...counts, job_id: jobId }
  }
}

/** The work of the job. */
export function deletingAllMessages(ports: ShredNeeds): BackgroundTaskWork {
  return {
    chunk: shredChunk,
    failsForGood: true,
    // Only deleteAllMessages stores this task.
    run: ({ jobId, work, total }, _, to) =>
      shredNext(ports, jobId, work as BackgroundTasks['delete_user_messages'], { isLast: to >= total }),
  }
}

/**
 * Deletes the next messages of an author, from where the job is, at most `shredChunk`; the last part deletes whatever is left. It may
 * be more than was counted: a message under way while it was counted may have a lower id than the newest.
 */
export async function shredNext(
  ports: ShredNeeds,
  jobId: BackgroundJobId,
  { author, upTo }: MessagesUpTo,
  { isLast }: { readonly isLast: boolean },
): Promise<void> {
  let { last: after } = await ports.authorMessages.shredded(jobId)
  for (let found_count = shredChunk; found_count === shredChunk;) {
    const found = await ports.authorMessages.page(author, { upTo, after, limit: shredChunk })
    await shredFound(ports, { jobId, authorId: author }, found)
    if (!isLast) return
    after = found.at(-1) ?? after
    found_count = found.length
  }
}

const lowBits_max = 0x3f_ffff

/** The highest id below all of this instant. */
export function newestBefore(instant: Timestamp): MessageId {
  return messageId(composeSnowflake(msOf(instant) - 1, lowBits_max))
}
