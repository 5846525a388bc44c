import { backgroundJobId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { causeOf } from '../../commands/command-context.ts'
import { derivedSnowflake } from '../../commands/derived-snowflake.ts'
import { dueContext } from '../../commands/due-context.ts'
import type { BackgroundTasks } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import type { DueMessageDeletion } from '../../ports/queries/erasure-queries.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import { newestBefore, shredChunk, shredNext } from './delete-all-messages.ts'
import type { ShredNeeds } from './shred-found.ts'

/** How many deletions one run starts at most. */
export const dueMessageDeletions_max = 100

type Needs = Pick<Ports, 'aggregates' | 'authorMessages' | 'backgroundJobs' | 'events' | 'queries'>

/**
 * Starts a job for each deletion of all messages that its holder scheduled and that is due, unless it has one. Gives
 * how many are due. The job deletes what was written before the deletion was due.
 */
export function startDueMessageDeletions(ports: Needs) {
  return async (now: Timestamp): Promise<number> => {
    const due = await ports.queries.erasures.dueMessageDeletions(now, dueMessageDeletions_max)
    for (const deletion of due) await start(ports, deletion, now)
    return due.length
  }
}

async function start(ports: Needs, { accountId: author, dueAt }: DueMessageDeletion, now: Timestamp): Promise<void> {
  const upTo = newestBefore(dueAt)
  const { message_count } = await ports.authorMessages.count(author, upTo)
  const context = await dueContext(ports, 'message deletion', streamName('account', author), now)
  if (message_count === 0) {
    const { state } = await ports.aggregates.account.load(author)
    if (state.status !== 'registered') return
    await ports.aggregates.account.execute(author, { type: 'FinishMessageDeletion', dueAt }, context)
    return
  }
  await ports.backgroundJobs.add({
    jobId: backgroundJobId(derivedSnowflake(dueAt, `message deletion of ${author}`)),
    task: 'delete_scheduled_messages',
    work: { author, upTo, dueAt },
    payload: { user_id: author, requested: message_count },
    total: message_count,
    requestedBy: author,
    reason: null,
    commandId: context.commandId,
    cause: causeOf(context),
    createdAt: now,
  })
}

/** The work of the job. It stops where the schedule was cancelled or replaced; what is deleted stays deleted. */
export function deletingScheduledMessages(ports: ShredNeeds & Pick<Ports, 'aggregates'>): BackgroundTaskWork {
  return {
    chunk: shredChunk,
    async hasReason({ work }) {
      const { author, dueAt } = scheduled(work)
      const { state } = await ports.aggregates.account.load(author)
      return state.status === 'registered' && state.messageDeletion?.dueAt === dueAt
    },
    async run({ jobId, work, total }, _, to, context) {
      const { author, upTo, dueAt } = scheduled(work)
      const isLast = to >= total
      await shredNext(ports, jobId, { author, upTo }, { isLast })
      if (isLast) await ports.aggregates.account.execute(author, { type: 'FinishMessageDeletion', dueAt }, context)
    },
  }
}

// Only startDueMessageDeletions stores this task.
const scheduled = (work: unknown) => work as BackgroundTasks['delete_scheduled_messages']
