import { msOf, secondsAfter, type Timestamp } from '../kernel/timestamp.ts'
import { minimumDelay_days } from './deletion-reasons.ts'
import type { ScheduleDeletion } from './standing-commands.ts'
import type { Account, PendingDeletion } from './state.ts'

const day_s = 24 * 3600

/** After how many days a deletion is due: those that were asked for, but at least the minimum of its reason. */
export function delayOf_days({ reasonCode, delay_days }: Pick<ScheduleDeletion, 'reasonCode' | 'delay_days'>): number {
  return Math.max(delay_days, minimumDelay_days(reasonCode))
}

/** The deletion that a command schedules. */
export function deletionBy(command: Omit<ScheduleDeletion, 'type' | 'replaces'>): PendingDeletion & {
  readonly scheduledBy: ScheduleDeletion['scheduledBy']
  readonly scheduledAt: Timestamp
} {
  const { reasonCode, publicReason, auditLogReason, scheduledBy, isDueAtOnce = false, now } = command
  const dueAt = isDueAtOnce ? now : secondsAfter(now, delayOf_days(command) * day_s)
  return { dueAt, reasonCode, publicReason, auditLogReason, scheduledBy, scheduledAt: now }
}

/** Whether the pending deletion is due at an instant, however that is written; null stands for no deletion. */
export function isDueAt({ deletion }: Pick<Account, 'deletion'>, instant: Timestamp | null): boolean {
  if (deletion === null || instant === null) return deletion === instant
  return msOf(deletion.dueAt) === msOf(instant)
}
