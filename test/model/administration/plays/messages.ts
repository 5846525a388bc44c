import { expect } from 'vitest'
import { instant, type Body, type ModelAccount } from '../account.ts'
import {
  at,
  changed,
  entryOf,
  faultsOf,
  target,
  type AdminPlay,
  type Ask,
  type AuditEntry,
  type Told,
} from '../play.ts'
import type { AdminWorld } from '../world.ts'

/** Messages and archives. Accounts are not resolved here. */

const entryAbout = ({ id }: Ask, action: string, targetType: string, metadata: AuditEntry['metadata']): AuditEntry => ({
  action,
  targetType,
  targetId: id,
  metadata: { user_id: id, ...metadata },
})

const queued = (ask: Ask, job: unknown, requested: number): AuditEntry =>
  entryAbout(ask, 'queue_message_shred', 'message_shred', { job_id: job, requested_entries: String(requested) })

/** What everybody in the guild hears once messages are deleted there. */
function deleted({ home }: AdminWorld, ids: readonly string[]): readonly Told[] {
  if (ids.length === 0) return []
  const d = { channel_id: home.channel, ids: expect.toSatisfy(sameIds(ids)) }
  return home.members.map((to) => ({ to, t: 'MESSAGE_DELETE_BULK', d }))
}

const sameIds = (ids: readonly string[]) => (found: readonly string[]) =>
  JSON.stringify(found.toSorted()) === JSON.stringify(ids.toSorted())

/** `dryRun` is the parameter as it is sent. Waits for the job. */
export function deleteAllMessages(
  ask: Ask,
  dryRun: string | undefined,
  ended: (job: string) => Promise<void>,
): AdminPlay & { readonly after: () => Promise<void> } {
  const isDry = dryRun === undefined || !['false', 'False', '0'].includes(dryRun.trim())
  let job: string | undefined
  return {
    method: 'DELETE',
    path: at(ask.id, `/messages${dryRun === undefined ? '' : `?dry_run=${encodeURIComponent(dryRun)}`}`),
    acls: ['message:delete_all'],
    faults: faultsOf(ask),
    after: async () => (job === undefined ? undefined : ended(job)),
    judge() {
      const account = ask.world.accounts.get(ask.id)
      const ids = [...(account?.messages.keys() ?? [])]
      const counts = { channel_count: ids.length === 0 ? 0 : 1, message_count: ids.length }
      const begins = !isDry && ids.length > 0
      return {
        status: 200,
        settle(answer) {
          if (begins) job = String(answer['job_id'])
          if (begins) ask.world.jobs.push({ id: String(job), requested: ids.length, processed: ids.length })
          if (begins) account?.messages.clear()
          const shown = begins ? { job_id: expect.stringMatching(/^\d+$/) } : {}
          return { success: true, dry_run: isDry, ...counts, ...shown }
        },
        entries: ({ job_id: id }) => {
          const metadata = {
            channel_count: String(counts.channel_count),
            message_count: String(counts.message_count),
            dry_run: String(isDry),
          }
          const action = isDry ? 'delete_all_user_messages_dry_run' : 'delete_all_user_messages'
          const first = entryAbout(ask, action, 'message_deletion', metadata)
          return [first, ...(begins ? [queued(ask, id, ids.length)] : [])]
        },
        tells: () => (begins ? deleted(ask.world, ids) : []),
      }
    },
  }
}

export interface ShredEntry {
  readonly channel_id: string
  readonly message_id: string
}

/** Each entry is checked again: what is missing, or by somebody else, is skipped. */
export function shredMessages(
  ask: Ask,
  entries: readonly ShredEntry[],
  ended: (job: string) => Promise<void>,
): AdminPlay & { readonly after: () => Promise<void> } {
  let job: string | undefined
  const size = entries.length
  return {
    method: 'POST',
    path: at(ask.id, '/message-shreds'),
    body: { entries },
    acls: ['message:shred'],
    faults: faultsOf(ask, (size < 1 || size > 1000) && 'entries'),
    after: async () => (job === undefined ? undefined : ended(job)),
    judge() {
      const account = ask.world.accounts.get(ask.id)
      const own = entries.filter(({ channel_id: channel, message_id: id }) => account?.messages.get(id) === channel)
      const ids = [...new Set(own.map(({ message_id: id }) => id))]
      return {
        status: 200,
        settle(answer) {
          job = String(answer['job_id'])
          ask.world.jobs.push({ id: job, requested: size, processed: ids.length })
          for (const id of ids) account?.messages.delete(id)
          return { success: true, job_id: expect.stringMatching(/^\d+$/), requested: size }
        },
        entries: ({ job_id: id }) => [queued(ask, id, size)],
        tells: () => deleted(ask.world, ids),
      }
    },
  }
}

/** The model looks at jobs only once they are over. An unknown one is no refusal. */
export function getShredJob(ask: Ask, job: string): AdminPlay {
  return {
    method: 'GET',
    path: `/v1/admin/messages/shreds/${job}`,
    acls: ['message:shred'],
    faults: /^\d+$/.test(job) ? [] : ['job_id'],
    judge() {
      const known = ask.world.jobs.find(({ id }) => id === job)
      const status = known ? 'completed' : 'not_found'
      const metadata = { job_id: job, status }
      const shred = { action: 'get_message_shred_status', targetType: 'message_shred', targetId: '0', metadata }
      const { requested = 0, processed = 0 } = known ?? {}
      const progress = { requested, total: processed, processed, skipped: requested - processed }
      const times = { started_at: instant, completed_at: instant }
      return {
        status: 200,
        settle: () => (known ? { status, ...progress, ...times } : { status }),
        entries: () => [shred],
      }
    },
  }
}

/** Nobody is told. */
export function cancelScheduledDeletion(ask: Ask): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, '/message-deletion'),
    acls: ['user:cancel:bulk_message_deletion'],
    faults: faultsOf(ask),
    judge() {
      const account: ModelAccount = target(ask)
      return changed(ask, account, {
        action: 'cancel_bulk_message_deletion',
        change: () => {
          account.bulkDeletionAt = null
        },
        tells: () => [],
      })
    },
  }
}

export function triggerArchive(ask: Ask, includes?: boolean | string): AdminPlay {
  return {
    method: 'POST',
    path: at(ask.id, '/archives'),
    body: { include_attachments: includes },
    acls: ['archive:trigger:user'],
    faults: faultsOf(ask, typeof includes === 'string' && 'include_attachments'),
    judge() {
      const account = target(ask)
      return {
        status: 200,
        settle: (): Body => ({
          archive_id: expect.stringMatching(/^\d+$/),
          subject_type: 'user',
          subject_id: account.id,
          requested_by: ask.actor.id,
          requested_at: instant,
          started_at: null,
          completed_at: null,
          failed_at: null,
          file_size: null,
          progress_percent: 0,
          progress_step: 'Queued',
          error_message: null,
          download_url_expires_at: null,
          expires_at: instant,
        }),
        entries: ({ archive_id: id }) => [
          entryOf(ask, 'trigger_user_archive', { archive_id: id, include_attachments: String(includes ?? false) }),
        ],
      }
    },
  }
}
