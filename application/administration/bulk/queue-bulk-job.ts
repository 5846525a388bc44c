import { resolvesReports } from '../../../domain/account/deletion-reasons.ts'
import { entryId, type BackgroundJobId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { BulkWork, NewBackgroundJob } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import { requireAcl } from '../acls/acl-bound.ts'
import { orderedBy } from '../jobs/ordered-work.ts'
import { queueOrderedWork } from '../jobs/queue-ordered-work.ts'
import { bulkRules, type BulkTask, type BulkWishes } from './bulk-tasks.ts'

export interface QueuedBulkJob {
  readonly job_id: BackgroundJobId
}

/**
 * Queues a job that does the same to each of many accounts or guilds; an id that is named twice counts once. Nobody is
 * looked up before. Refuses with MISSING_ACL without the ACL of the task. See rules/administration#bulk-jobs.
 */
export function queueBulkJob({ backgroundJobs }: Pick<Ports, 'backgroundJobs'>) {
  return async (caller: Caller, wishes: BulkWishes): Promise<QueuedBulkJob> => {
    const { acl } = bulkRules[wishes.task]
    requireAcl(caller, acl)
    const work = workOf(caller, wishes)
    const { length: count } = work.work.items
    const jobId = await queueOrderedWork({ backgroundJobs }, caller, {
      ...work,
      payload: { count, dry_run: String(wishes.dryRun), ...work.payload },
      total: count,
    })
    return { job_id: jobId }
  }
}

type BulkJobWork = {
  readonly [Task in BulkTask]: Pick<NewBackgroundJob<Task>, 'task' | 'work' | 'payload'>
}[BulkTask]

/** Why accounts are to be deleted is personal to them, and is not shown with the job. */
function workOf(caller: Caller, wishes: BulkWishes): BulkJobWork {
  switch (wishes.task) {
    case 'update_user_flags': {
      const { task, ids, act } = wishes
      const payload = { add_flags: act.add.join(','), remove_flags: act.remove.join(',') }
      return { task, work: { ...act, ...bulkOf(caller, wishes, ids, 1) }, payload }
    }
    case 'schedule_user_deletion': {
      const { task, ids, act } = wishes
      const payload = { days: act.days, notify_user: String(act.notifiesHolder) }
      // What becomes of the reports against the account is a second entry.
      const entries = resolvesReports(act.reasonCode) ? 2 : 1
      return { task, work: { ...act, ...bulkOf(caller, wishes, ids, entries) }, payload }
    }
    case 'update_guild_features': {
      const { task, ids, act } = wishes
      const payload = { add_features: act.add.join(','), remove_features: act.remove.join(',') }
      return { task, work: { ...act, ...bulkOf(caller, wishes, ids, 1) }, payload }
    }
  }
}

/** Each item with the ids of as many entries in the admin audit log as it leaves. */
function bulkOf<Id extends string>(
  caller: Caller,
  { dryRun }: Pick<BulkWishes, 'dryRun'>,
  ids: readonly Id[],
  entries_count: number,
): BulkWork<Id> {
  const newEntry = () => entryId(caller.context.newId())
  const items = [...new Set(ids)].map((id) => ({ id, entryIds: Array.from({ length: entries_count }, newEntry) }))
  return { dryRun, ...orderedBy(caller), summaryId: newEntry(), items }
}
