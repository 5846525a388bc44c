import { blocklistsIdentifiers, resolvesReports } from '../../../domain/account/deletion-reasons.ts'
import { delayOf_days, deletionBy } from '../../../domain/account/pending-deletion.ts'
import type { Account, AccountState, PendingDeletion } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Acting, Caller } from '../../caller.ts'
import { bestEffort } from '../../commands/best-effort.ts'
import { notified } from '../../commands/notified.ts'
import type { DeletionNotice } from '../../ports/mail.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import type { ActingAdmin } from '../acls/require-grantable.ts'
import { blocklistIdentifiers } from './blocklist-identifiers.ts'
import { deletionNotice } from './deletion-notices.ts'
import { resolveReportsOf, type ReportsResolution, type ResolveReportsNeeds } from './resolve-reports.ts'
import { changedUser, type ChangedUserNeeds } from './target-account.ts'

export interface DeletionWishes {
  /** Of the deletion reason registry. */
  readonly reasonCode: number
  /** Raised to the minimum of the reason. */
  readonly days: number
  /** For the holder. */
  readonly publicReason: string | null
  readonly notifiesHolder: boolean
  /** When the pending deletion is due that this one replaces; null if none is pending. */
  readonly replaces: Timestamp | null
}

export interface ScheduledDeletion {
  readonly user: AdminUserObject
  /** The delay that counts. */
  readonly days: number
  readonly dueAt: Timestamp
  /** The deletion that was pending before; null for none. */
  readonly replaced: PendingDeletion | null
  /** The mail to the holder, and whether the mail server has taken it; null if none was tried. */
  readonly notice: { readonly template: DeletionNotice; readonly sent: boolean } | null
  /** Null if the reason leaves the reports as they are. */
  readonly reports: ReportsResolution | null
}

/** What became of it, without the account. */
export type DeletionSchedule = Omit<ScheduledDeletion, 'user'>

export type SchedulingNeeds = ActNeeds &
  ResolveReportsNeeds &
  Pick<Ports, 'aggregates' | 'blocklistBox' | 'deferred' | 'mail'>

/**
 * Schedules the deletion of an account. From now on nobody can sign in to it, and its sessions and OAuth2 tokens are
 * gone. Then mails the holder, blocklists the address and resolves reports, none of which can cancel the schedule.
 * Refuses with UNKNOWN_USER, with ACCESS_DENIED for the last account that can use `*`, and with CONFLICT if a pending
 * deletion was not named or the erasure has begun. See rules/administration#scheduled-deletions. There are no card
 * subscriptions on this server, so none is cancelled.
 */
export function scheduleDeletion(ports: SchedulingNeeds & ChangedUserNeeds) {
  const schedule = scheduleDeletionOf(ports, 'Schedule user deletion')
  return async (caller: Caller, target: AccountId, wishes: DeletionWishes): Promise<ScheduledDeletion> => {
    const scheduled = await schedule(caller, target, wishes)
    return { user: await changedUser(ports, caller, target), ...scheduled }
  }
}

/** The same without the answer: a job schedules deletions too. */
export function scheduleDeletionOf(
  ports: SchedulingNeeds,
  act: 'Schedule user deletion' | 'Queue bulk job: schedule_user_deletion',
) {
  return async (by: ActingAdmin, target: AccountId, wishes: DeletionWishes): Promise<DeletionSchedule> => {
    const { account: admin, context } = by
    const { reasonCode, publicReason, replaces } = wishes
    const command = {
      reasonCode,
      delay_days: wishes.days,
      publicReason,
      auditLogReason: context.reason ?? null,
      scheduledBy: admin.id,
      now: context.now,
    }
    const { state: before } = await ports.aggregates.account.load(target)
    const scheduling = { type: 'ScheduleDeletion', ...command, replaces } as const
    const { state } = await actOnAccount(ports, by, target, { act, closes: () => true }, (guard) =>
      ports.aggregates.account.execute(target, { ...scheduling, ...guard }, context),
    )
    const days = delayOf_days(command)
    const dueAt = dueAtIn(state) ?? deletionBy(command).dueAt
    const after = state.status === 'registered' ? await consequences(ports, by, state, { ...wishes, dueAt }) : none
    return { days, dueAt, replaced: replacedIn(before, context.now), ...after }
  }
}

type Consequences = Pick<ScheduledDeletion, 'notice' | 'reports'>

/** For an account that is being erased meanwhile. */
const none: Consequences = { notice: null, reports: null }

async function consequences(
  ports: SchedulingNeeds,
  by: Acting,
  account: Account,
  { reasonCode, publicReason, notifiesHolder, dueAt }: DeletionWishes & Pick<ScheduledDeletion, 'dueAt'>,
): Promise<Consequences> {
  const notice = notifiesHolder ? deletionNotice(account, { reasonCode, publicReason, dueAt }, by.context) : null
  const sent = notice !== null && (await notified(ports, notice))
  if (blocklistsIdentifiers(reasonCode))
    await bestEffort(ports, () => blocklistIdentifiers(ports, by, account, reasonCode))
  const reports = resolvesReports(reasonCode) ? await resolveReportsOf(ports, by, account) : null
  return { notice: notice && { template: notice.template, sent }, reports }
}

/** A job that repeats a command does so later: what the first try scheduled counts. */
const dueAtIn = (state: AccountState): Timestamp | undefined =>
  state.status === 'registered' ? state.deletion?.dueAt : undefined

/** A repeated command finds its own deletion pending: then nobody knows any more what that one replaced. */
function replacedIn(before: AccountState, now: Timestamp): PendingDeletion | null {
  const pending = before.status === 'registered' ? before.deletion : null
  return pending?.scheduledAt === now ? null : pending
}
