import { account } from '../../../domain/account/account.ts'
import type { AccountState } from '../../../domain/account/state.ts'
import type { TakingAct } from '../../../domain/admin/acts-on-accounts.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { reject } from '../../commands/refused.ts'
import type { BackgroundTasks } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import { changeGuildFeatures, featuresEntry, previewGuildFeatures } from '../guilds/change-guild-features.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import { actOnAccount, requireMayAct, type Closes } from '../acls/act-on-account.ts'
import type { ActingAdmin } from '../acls/require-grantable.ts'
import { closesBy, flagsEntry } from '../users/change-user-facts.ts'
import { deletionEntry, reportsAction } from '../users/deletion-entries.ts'
import { executeAndTell, type ExecutingNeeds } from '../users/target-account.ts'
import { scheduleDeletionOf, type SchedulingNeeds } from '../users/schedule-deletion.ts'
import type { BulkTask } from './bulk-tasks.ts'
import { workOnItems, type BulkAct, type BulkNeeds } from './work-on-items.ts'

type Needs = ExecutingNeeds & BulkNeeds & SchedulingNeeds & Pick<Ports, 'queries'>

/** How many items are done between two reports of progress. */
const chunk = 25
const deletionsChunk = 10

/** The work of each bulk task. */
export function bulkWork(ports: Needs): Readonly<Record<BulkTask, BackgroundTaskWork>> {
  return {
    update_user_flags: workOnItems(ports, 'update_user_flags', chunk, updatingFlags(ports)),
    schedule_user_deletion: workOnItems(ports, 'schedule_user_deletion', deletionsChunk, schedulingDeletion(ports)),
    update_guild_features: workOnItems(ports, 'update_guild_features', chunk, updatingFeatures(ports)),
  }
}

/** As Update user flags does. */
function updatingFlags(ports: Needs) {
  return ({ add, remove }: BackgroundTasks['update_user_flags']): BulkAct<AccountId> => {
    const command = { type: 'UpdateFlags', add, remove } as const
    const rule = { act: 'Queue bulk job: update_user_flags', closes: closesBy(command) } as const
    return {
      target: 'user',
      action: 'update_flags',
      async apply(by, id) {
        const { state } = await actOnAccount(ports, by, id, rule, (guard) =>
          executeAndTell(ports, id, { ...command, ...guard }, by.context),
        )
        if (state.status !== 'registered') return reject('UNKNOWN_USER')
        return [{ action: 'update_flags', metadata: { ...flagsEntry({ add, remove }), new_flags: state.flags } }]
      },
      preview: async (by, id) => account.decide(await stateFor(ports, by, id, rule), command),
    }
  }
}

/** An account for a preview. Refuses as `requireMayAct`. */
async function stateFor(
  ports: Needs,
  by: ActingAdmin,
  id: AccountId,
  { act, closes }: { readonly act: TakingAct; readonly closes: Closes },
): Promise<AccountState> {
  const { state } = await ports.aggregates.account.load(id)
  if (state.status === 'registered' && state.acls.length > 0) await requireMayAct(ports, by, state, act, closes(state))
  return state
}

/** As Schedule user deletion does where no deletion is pending. */
function schedulingDeletion(ports: Needs) {
  const rule = { act: 'Queue bulk job: schedule_user_deletion', closes: () => true } as const
  const schedule = scheduleDeletionOf(ports, rule.act)
  return (work: BackgroundTasks['schedule_user_deletion']): BulkAct<AccountId> => ({
    target: 'user',
    action: 'schedule_deletion',
    async apply(by, id) {
      const scheduled = await schedule(by, id, { ...work, replaces: null })
      // None is replaced; a repeated item finds its own.
      const { plain, personal, reports } = deletionEntry({ ...scheduled, replaced: null }, work)
      const first = { action: 'schedule_deletion', metadata: plain, personalMetadata: personal }
      return reports === null ? [first] : [first, { action: reportsAction, metadata: reports }]
    },
    preview: async (by, id) =>
      account.decide(await stateFor(ports, by, id, rule), {
        type: 'ScheduleDeletion',
        reasonCode: work.reasonCode,
        delay_days: work.days,
        publicReason: work.publicReason,
        auditLogReason: by.context.reason ?? null,
        scheduledBy: by.account.id,
        replaces: null,
        now: by.context.now,
      }),
  })
}

function updatingFeatures(ports: Needs) {
  const change = changeGuildFeatures(ports)
  const preview = previewGuildFeatures(ports)
  return ({ add, remove }: BackgroundTasks['update_guild_features']): BulkAct<GuildId> => ({
    target: 'guild',
    action: 'update_features',
    async apply(by, id) {
      const features = await change(by, id, { add, remove })
      return [{ action: 'update_features', metadata: featuresEntry({ add, remove }, features) }]
    },
    preview: (by, id) => preview(by, id, { add, remove }),
  })
}
