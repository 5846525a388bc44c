import type { Decision } from '../../../domain/kernel/decider.ts'
import { causeOf, commandContext, type CommandContext } from '../../commands/command-context.ts'
import { deriveId } from '../../commands/derive-id.ts'
import { contextWith } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { AdminAudit, AdminAuditEntry } from '../../ports/admin-audit.ts'
import type { BegunJob, BulkItem, BulkWork, ItemOutcome } from '../../ports/background-jobs.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import type { Ports } from '../../ports.ts'
import { UnreadableEvent } from '../../failures/unreadable-event.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import type { ActingAdmin } from '../acls/require-grantable.ts'
import { bulkRules, type BulkTask } from './bulk-tasks.ts'

type Entry = Pick<AdminAuditEntry, 'action' | 'metadata' | 'personalMetadata'>

/** What a bulk task does to one account or guild. */
export interface BulkAct<Id extends string> {
  readonly target: 'user' | 'guild'
  readonly action: string
  /**
   * Does it, and returns the entries of the admin audit log, the first of them of `action`. May run again for the same item. Rejects
   * with a refusal if it cannot be done.
   */
  apply(by: ActingAdmin, id: Id): Promise<readonly [Entry, ...Entry[]]>
  /** What `apply` would decide now. Rejects as `apply`. */
  preview(by: ActingAdmin, id: Id): Promise<Decision<unknown>>
}

export interface BulkNeeds extends Pick<Ports, 'readModels'> {
  readonly adminAudit: AdminAudit
}

/**
 * The work of a bulk job. Items of a part are done at the same time, each as its own command whose id follows from the job and the
 * item: an item that is done again, after a death, finds what it did. An item that is refused fails alone. An outage fails the part,
 * which is tried again. Each item that was done leaves an entry in the admin audit log, and the job one more at its end; a dry run
 * leaves none.
 */
export function workOnItems<Work extends BulkWork<Id>, Id extends string>(
  { adminAudit, readModels }: BulkNeeds,
  task: BulkTask,
  chunk: number,
  actOf: (work: Work) => BulkAct<Id>,
): BackgroundTaskWork {
  return {
    chunk,
    async run(job, from, to, context) {
      // Only queueBulkJob stores the task.
      const work = job.work as Work
      const act = actOf(work)
      const doItem = work.dryRun ? previewing(act) : applying(adminAudit, act)
      const settled = await Promise.allSettled(
        work.items
          .slice(from, to)
          .map((item) => outcomeOf(item, doItem({ job, work, item, context, mayRepeat: from === job.done }))),
      )
      const outcomes = settled.map((each): ItemOutcome => {
        if (each.status === 'rejected') throw each.reason
        return each.value
      })
      await readModels.reached(context.written)
      return outcomes
    },
    async finish(job, context) {
      const { dryRun, credential, summaryId } = job.work as Work
      if (dryRun) return
      const action = bulkRules[task].summary
      const target = { type: 'bulk_job', id: job.jobId }
      const metadata = { task, entity_count: String(job.total) }
      const entry = { action, adminId: job.requestedBy, credential, target, metadata }
      const acted = { entryId: summaryId, commandId: context.commandId, ...entry }
      await adminAudit.record(entry, contextWith(context, { adminAction: acted }))
    },
  }
}

interface ItemOnItsWay<Id extends string> {
  readonly job: BegunJob
  readonly work: Pick<BulkWork<Id>, 'credential' | 'keyId'>
  readonly item: BulkItem<Id>
  /** Of the part. */
  readonly context: CommandContext
  /** Whether an earlier worker may have died over the item: only over the part from which this one continues. */
  readonly mayRepeat: boolean
}

type DoItem<Id extends string> = (on: ItemOnItsWay<Id>) => Promise<ItemOutcome['outcome']>

function previewing<Id extends string>(act: BulkAct<Id>): DoItem<Id> {
  return async (on) => {
    const { item, context } = on
    const decision = await act.preview(actingIn(on, context), item.id)
    if (decision.outcome === 'refused') throw new Refused(decision.refusal)
    return decision.events.length > 0 ? 'changed' : 'unchanged'
  }
}

function applying<Id extends string>(adminAudit: AdminAudit, act: BulkAct<Id>): DoItem<Id> {
  return async (on) => {
    const { job, work, item, context } = on
    const by = { adminId: job.requestedBy, credential: work.credential, target: { type: act.target, id: item.id } }
    const own = contextOfItem(on, { ...by, action: act.action })
    try {
      const entries = await act.apply(actingIn(on, own), item.id)
      const outcome = own.written > beforeAll ? 'changed' : 'unchanged'
      for (const [index, entry] of entries.entries())
        await adminAudit.record({ ...by, ...entry }, contextOfEntry(own, item, index, entry.action))
      return outcome
    } catch (error) {
      // Events that name an entry were written, and none follows.
      if (isOfItem(error) && own.written > beforeAll)
        await adminAudit.refused(own, error instanceof Refused ? error.refusal.code : undefined)
      throw error
    } finally {
      context.noteWritten(own.written)
    }
  }
}

/** The administrator who queued the job, with the credential of that request. */
function actingIn({ job, work }: ItemOnItsWay<string>, context: CommandContext): ActingAdmin {
  const { credential: kind, keyId = null } = work
  return {
    account: { id: job.requestedBy },
    credential: kind === 'admin_key' ? { kind, keyId } : { kind },
    context,
  }
}

type ActionOfItem = Pick<AdminAuditEntry, 'action' | 'adminId' | 'credential' | 'target'>

/** The context of an item's own command. What it writes is noted for this item alone. */
function contextOfItem({ job, item, context, mayRepeat }: ItemOnItsWay<string>, action: ActionOfItem): CommandContext {
  const {
    id,
    entryIds: [entryId],
  } = item
  if (entryId === undefined) throw new Error(`The item ${id} has no entry`)
  const commandId = deriveId(job.commandId, `item ${id}`)
  const { actor, reason, now } = context
  return commandContext({
    commandId,
    ...causeOf(context),
    actor,
    reason,
    now,
    mayRepeat,
    isKeyed: false,
    adminAction: { ...action, entryId, commandId },
    newId: () => context.newId(),
    randomBytes: (count) => context.randomBytes(count),
  })
}

/** Each entry has the id that was made for it. */
function contextOfEntry(own: CommandContext, { id, entryIds }: BulkItem<string>, index: number, action: string) {
  const entryId = entryIds[index]
  if (entryId === undefined || own.adminAction === undefined) throw new Error(`The item ${id} has no entry ${index}`)
  return contextWith(own, { adminAction: { ...own.adminAction, action, entryId } })
}

async function outcomeOf({ id }: BulkItem<string>, done: Promise<ItemOutcome['outcome']>): Promise<ItemOutcome> {
  try {
    return { id, outcome: await done, code: null }
  } catch (error) {
    if (!isOfItem(error)) throw error
    return { id, outcome: 'failed', code: error instanceof Refused ? error.refusal.code : 'INTERNAL_SERVER_ERROR' }
  }
}

/** Whether the item is to blame. SERVICE_UNAVAILABLE says that something is out just now. */
function isOfItem(error: unknown): boolean {
  if (error instanceof UnreadableEvent) return true
  return error instanceof Refused && error.refusal.code !== 'SERVICE_UNAVAILABLE'
}
