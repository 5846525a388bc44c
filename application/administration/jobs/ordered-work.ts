import type { AdminAcl } from '../../../domain/admin/acls.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject, Refused } from '../../commands/refused.ts'
import type { BackgroundTask, BegunJob, OrderedWork } from '../../ports/background-jobs.ts'
import { requireGrantable, type ActingNow, type GrantableNeeds } from '../acls/require-grantable.ts'
import { bulkRules } from '../bulk/bulk-tasks.ts'
import type { BackgroundTaskWork } from './run-background-job.ts'

/** What a job keeps of the request that orders it. Refuses with UNAUTHORIZED for a bot, which is no administrator. */
export function orderedBy({ account, credential }: Pick<Caller, 'account' | 'credential'>) {
  if (credential.kind === 'bot') return reject('UNAUTHORIZED')
  const key = credential.kind === 'admin_key' ? { keyId: credential.keyId } : {}
  return { credential: credential.kind, ...key, delegationVersion: account.delegationVersion } satisfies OrderedWork
}

/** The ACL of the operation that orders each task. */
const orders = {
  ban_file_sha: 'ban:file_sha:add',
  unban_file_sha: 'ban:file_sha:remove',
  shred_messages: 'message:shred',
  delete_user_messages: 'message:delete_all',
  update_user_flags: bulkRules.update_user_flags.acl,
  schedule_user_deletion: bulkRules.schedule_user_deletion.acl,
  update_guild_features: bulkRules.update_guild_features.acl,
  rewind_guild: 'guild:update:settings',
} as const satisfies Partial<Record<BackgroundTask, AdminAcl>>

type OrderedTasks = Readonly<Record<keyof typeof orders, BackgroundTaskWork>>

/**
 * The same work, which ends as cancelled once the account that ordered it could not order it any more: the account or
 * its Admin key has ended or lost the ACL, or the account's delegations were ended. What was done stays done.
 */
export function whileAllowed(needs: GrantableNeeds, tasks: OrderedTasks): OrderedTasks {
  const allowed = (task: keyof OrderedTasks): BackgroundTaskWork => ({
    ...tasks[task],
    hasReason: (job, now) => isAllowed(needs, orders[task], job, now),
  })
  return {
    ban_file_sha: allowed('ban_file_sha'),
    unban_file_sha: allowed('unban_file_sha'),
    shred_messages: allowed('shred_messages'),
    delete_user_messages: allowed('delete_user_messages'),
    update_user_flags: allowed('update_user_flags'),
    schedule_user_deletion: allowed('schedule_user_deletion'),
    update_guild_features: allowed('update_guild_features'),
    rewind_guild: allowed('rewind_guild'),
  }
}

async function isAllowed(needs: GrantableNeeds, acl: AdminAcl, job: BegunJob, now: Timestamp): Promise<boolean> {
  // Only jobs of administrators are ordered work.
  const { credential = 'session', keyId = null, delegationVersion } = job.work as OrderedWork
  // Whoever is at the command line may do everything.
  if (credential === 'command_line') return true
  const by: ActingNow = {
    account: { id: job.requestedBy },
    credential: credential === 'admin_key' ? { kind: credential, keyId } : { kind: credential },
    context: { now },
    delegationVersion,
  }
  try {
    await requireGrantable(needs, by, [], acl)
    return true
  } catch (error) {
    if (error instanceof Refused && error.refusal.code !== 'SERVICE_UNAVAILABLE') return false
    throw error
  }
}
