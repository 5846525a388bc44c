import type { AdminAcl } from '../../../domain/admin/acls.ts'
import type { BackgroundTasks, BulkWork } from '../../ports/background-jobs.ts'

/** What administrators can do to up to 1000 accounts or guilds in one job. */
export const bulkTasks = ['update_user_flags', 'schedule_user_deletion', 'update_guild_features'] as const
export type BulkTask = (typeof bulkTasks)[number]

/** The most accounts or guilds in one job. */
export const bulkItems_max = 1000

interface BulkRule {
  /** Asked of the credential once the body is validated. */
  readonly acl: AdminAcl
  /** The action of the entry that sums a job up. */
  readonly summary: string
}

export const bulkRules: Readonly<Record<BulkTask, BulkRule>> = {
  update_user_flags: { acl: 'bulk:update:user_flags', summary: 'bulk_update_user_flags' },
  schedule_user_deletion: { acl: 'bulk:delete:users', summary: 'bulk_schedule_deletion' },
  update_guild_features: { acl: 'bulk:update:guild_features', summary: 'bulk_update_guild_features' },
}

/** What a task does to each item: its work without the items and what is recorded of them. */
type ActOf<Task extends BulkTask> = Omit<BackgroundTasks[Task], keyof BulkWork<string>>

/** A bulk job as an administrator asks for it. */
export type BulkWishes = {
  readonly [Task in BulkTask]: {
    readonly task: Task
    readonly dryRun: boolean
    /** At most `bulkItems_max`. */
    readonly ids: readonly BackgroundTasks[Task]['items'][number]['id'][]
    readonly act: ActOf<Task>
  }
}[BulkTask]
