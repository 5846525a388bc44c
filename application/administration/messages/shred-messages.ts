import type { AccountId, BackgroundJobId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { Caller } from '../../caller.ts'
import type { BackgroundTasks, ShredEntry } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import { orderedBy } from '../jobs/ordered-work.ts'
import { queueOrderedWork } from '../jobs/queue-ordered-work.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import { shredFound, type ShredNeeds } from './shred-found.ts'

/** How many entries are looked up at once. */
const chunk = 100

export interface QueuedShredding {
  readonly success: true
  readonly job_id: BackgroundJobId
  /** An upper bound of the messages that the job deletes. */
  readonly requested: number
}

/**
 * Starts a job that deletes the named messages of an account. Neither the account nor the messages are looked up
 * before. See rules/administration#messages.
 */
export function shredMessages({ backgroundJobs }: Pick<Ports, 'backgroundJobs'>) {
  return async (caller: Caller, author: AccountId, entries: readonly ShredEntry[]): Promise<QueuedShredding> => {
    const jobId = await queueOrderedWork({ backgroundJobs }, caller, {
      task: 'shred_messages',
      work: { author, entries: entries.toSorted(byPlace), ...orderedBy(caller) },
      payload: { user_id: author, requested: entries.length },
      total: entries.length,
    })
    return { success: true, job_id: jobId, requested: entries.length }
  }
}

/** The work of the job. A message that is gone, of somebody else or named twice is skipped. */
export function shreddingMessages(ports: ShredNeeds & Pick<Ports, 'messages'>): BackgroundTaskWork {
  return {
    chunk,
    failsForGood: true,
    async run({ jobId, work }, from, to) {
      // Only shredMessages stores this task.
      const { author, entries } = work as BackgroundTasks['shred_messages']
      const found = await ports.messages.findMany(entries.slice(from, to))
      const own = found.filter(({ authorId }) => authorId === author)
      const placed = own.map(({ id, channelId, guildId }) => ({ channelId, messageId: id, guildId }))
      await shredFound(ports, { jobId, authorId: author }, uniqueOf(placed.toSorted(byPlace)))
    },
  }
}

function byPlace(a: ShredEntry, b: ShredEntry): number {
  return compareSnowflakes(a.channelId, b.channelId) || compareSnowflakes(a.messageId, b.messageId)
}

const uniqueOf = <Entry extends ShredEntry>(sorted: readonly Entry[]): readonly Entry[] =>
  sorted.filter((entry, index) => {
    const before = sorted[index - 1]
    return before === undefined || byPlace(before, entry) !== 0
  })
