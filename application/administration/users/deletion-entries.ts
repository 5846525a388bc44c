import type { PendingDeletion } from '../../../domain/account/state.ts'
import type { DeletionSchedule, DeletionWishes } from './schedule-deletion.ts'

type Metadata = Readonly<Record<string, string>>

/** The audit entry of a deletion that leaves the reports against the account resolved. */
export const reportsAction = 'auto_resolve_reports_on_deletion'

/** What the admin audit log says of an act on an account. */
export interface EntryParts {
  readonly plain: Metadata
  /** Personal to the account. */
  readonly personal: Metadata
}

/** What the admin audit log says of a scheduled deletion; `reports` is the second entry, null for none. */
export function deletionEntry(
  { days, dueAt, replaced, notice, reports }: DeletionSchedule,
  { reasonCode, notifiesHolder }: Pick<DeletionWishes, 'reasonCode' | 'notifiesHolder'>,
): EntryParts & { readonly reports: Metadata | null } {
  const before = replaced && earlierDeletion('replaced', replaced)
  return {
    plain: {
      days: String(days),
      pending_deletion_at: dueAt,
      notify_user: String(notifiesHolder),
      notification_sent: String(notice?.sent === true),
      ...before?.plain,
    },
    personal: {
      reason_code: String(reasonCode),
      ...(notice && { notification_template: notice.template }),
      ...before?.personal,
    },
    reports: reports && textsOf(reports),
  }
}

/** What the audit log says of a deletion that was pending. Why an account was to be deleted is personal to it. */
export function earlierDeletion(
  what: 'replaced' | 'cancelled',
  { dueAt, scheduledBy, scheduledAt, reasonCode }: PendingDeletion,
): EntryParts {
  return {
    plain: {
      [`${what}_pending_deletion_at`]: dueAt,
      [`${what}_scheduled_by`]: scheduledBy ?? 'null',
      [`${what}_scheduled_at`]: scheduledAt ?? 'null',
    },
    personal: { [`${what}_reason_code`]: String(reasonCode) },
  }
}

function textsOf(values: object): Metadata {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}
