import { expect } from 'vitest'
import { refuse } from '../../support/outcomes.ts'
import { flagBits, type ModelAccount, type ModelDeletion } from '../account.ts'
import { noteMail } from '../mails.ts'
import {
  at,
  changed,
  endSessions,
  entryOf,
  expectAfter,
  faultsOf,
  target,
  targetWithin,
  type AdminPlay,
  type Ask,
  type AuditEntry,
} from '../play.ts'

/** Bans, scheduled deletions, the end of sessions. */

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms

export interface BanWishes {
  readonly duration_hours: number
  readonly reason?: string
  readonly notify_user?: boolean
}

export function banUser(ask: Ask, wishes: BanWishes): AdminPlay {
  const { duration_hours: hours, reason, notify_user: notifies = true } = wishes
  return {
    method: 'PUT',
    path: at(ask.id, '/ban'),
    body: wishes,
    acls: ['user:temp_ban'],
    faults: faultsOf(ask, (hours < 0 || hours > 8760) && 'duration_hours', (reason ?? '').length > 512 && 'reason'),
    judge() {
      if (ask.id === ask.actor.id) refuse('ACCESS_DENIED')
      const account = targetWithin(ask)
      return changed(ask, account, {
        action: 'temp_ban',
        change: (window, { temp_banned_until: until }) => {
          account.bannedUntil = hours === 0 ? inHundredYears(until) : expectAfter(until, window, hours * hour_ms)
          account.flags |= flagBits.DISABLED
          if (notifies && hours > 0) noteMail(ask.world, account, 'banned', { reason })
          endSessions(account)
        },
        // There is no mail server that could have taken it.
        metadata: () => ({
          duration_hours: String(hours),
          reason: reason ?? 'null',
          banned_until: account.bannedUntil,
          notify_user: String(notifies),
          notification_sent: 'false',
        }),
        tells: () => [],
        ends: account,
      })
    },
  }
}

function inHundredYears(until: unknown): string {
  expect(new Date(String(until)).getUTCFullYear() - new Date().getUTCFullYear()).toBe(100)
  return String(until)
}

export interface LiftWishes {
  readonly notify_user?: boolean
  readonly public_reason?: string
}

export function liftBan(ask: Ask, wishes: LiftWishes): AdminPlay {
  const { notify_user: notifies = true, public_reason: reason } = wishes
  return {
    method: 'DELETE',
    path: at(ask.id, '/ban'),
    body: wishes,
    acls: ['user:temp_ban'],
    faults: faultsOf(ask, (reason ?? '').length > 512 && 'public_reason'),
    judge() {
      const account = target(ask)
      const isLeaving = (account.flags & (flagBits.DELETED | flagBits.SELF_DELETED)) !== 0n
      const isSent = notifies && account.email !== null && account.bannedUntil !== null && !isLeaving
      return changed(ask, account, {
        action: 'unban',
        change: () => {
          account.bannedUntil = null
          if (isSent) noteMail(ask.world, account, 'lifted', { reason })
          account.flags &= ~flagBits.DISABLED
        },
        metadata: () => ({
          notify_user: String(notifies),
          notification_sent: 'false',
          ...(reason === undefined ? {} : { public_reason: reason }),
        }),
      })
    },
  }
}

export interface DeletionWishes {
  readonly reason_code: number
  readonly days?: number
  readonly public_reason?: string
  readonly notify_user?: boolean
  readonly expected_pending_deletion_at?: string
}

/** SPAM, CHEATING_OR_EXPLOITATION and so on: those that also resolve reports. */
const resolving = [3, 4, 5, 6, 8, 11, 17, 18, 20, 21, 22]

function template(code: number): string {
  if (code === 1) return 'account_deletion_scheduled_requested'
  if (code === 19) return 'account_deletion_scheduled_inactivity'
  return code === 2 ? 'scheduled_deletion_notification' : 'account_scheduled_deletion'
}

export function scheduleDeletion(ask: Ask, wishes: DeletionWishes): AdminPlay {
  const {
    reason_code: code,
    days: asked = 60,
    public_reason: publicReason = null,
    notify_user: notifies = true,
  } = wishes
  const faults = [
    (code < 1 || code > 22) && 'reason_code',
    (asked < 1 || asked > 365) && 'days',
    (publicReason ?? '').length > 512 && 'public_reason',
  ]
  return {
    method: 'PUT',
    path: at(ask.id, '/deletion'),
    body: wishes,
    acls: ['user:delete'],
    faults: faultsOf(ask, ...faults),
    judge() {
      requireNotErased(ask)
      const account = target(ask)
      const before = account.deletion
      if ((before?.at ?? null) !== (wishes.expected_pending_deletion_at ?? null)) refuse('CONFLICT')
      const days = Math.max(asked, code === 1 ? 14 : 60)
      const isSent = notifies && account.email !== null
      const verdict = changed(ask, account, {
        action: 'schedule_deletion',
        change: (window, { pending_deletion_at: due, deletion_scheduled_at: scheduledAt }) => {
          account.deletion = {
            at: expectAfter(due, window, days * day_ms),
            code,
            publicReason,
            auditReason: ask.reason,
            by: ask.actor.id,
            scheduledAt: expectAfter(scheduledAt, window),
          }
          account.flags |= flagBits.DELETED
          if (isSent) noteMail(ask.world, account, 'scheduled', { reason: publicReason, code })
          endSessions(account)
        },
        metadata: () => ({
          days: String(days),
          reason_code: String(code),
          pending_deletion_at: account.deletion?.at,
          notify_user: String(notifies),
          notification_sent: 'false',
          ...(isSent ? { notification_template: template(code) } : {}),
          ...(before ? earlier('replaced', before) : {}),
        }),
        tells: () => [],
        ends: account,
      })
      const also = resolving.includes(code) ? [resolveReports(ask, account)] : []
      return { ...verdict, entries: (answer) => [...verdict.entries(answer), ...also] }
    },
  }
}

/** Reports about children, minors and self-harm stay pending. Every reporter of the model has an address, and is told. */
function resolveReports(ask: Ask, account: ModelAccount): AuditEntry {
  const { open, protected: left } = account.reports
  const resolved = String(open - left)
  account.reports = { open: left, protected: left }
  const counts = { found_count: resolved, resolved_count: resolved, failed_count: '0', notified_count: resolved }
  return entryOf(ask, 'auto_resolve_reports_on_deletion', { outcome: 'completed', ...counts })
}

/** Erasure has started. */
function requireNotErased({ world, id }: Ask): void {
  if (world.gone === id) refuse('CONFLICT')
}

const earlier = (prefix: 'replaced' | 'cancelled', { at: due, by, scheduledAt, code }: ModelDeletion) => ({
  [`${prefix}_pending_deletion_at`]: due,
  [`${prefix}_scheduled_by`]: by,
  [`${prefix}_scheduled_at`]: scheduledAt,
  [`${prefix}_reason_code`]: String(code),
})

export interface CancelWishes {
  readonly expected_pending_deletion_at?: string
  readonly notify_user?: boolean
}

export function cancelDeletion(ask: Ask, wishes: CancelWishes): AdminPlay {
  const { expected_pending_deletion_at: expected, notify_user: notifies = false } = wishes
  return {
    method: 'DELETE',
    path: at(ask.id, '/deletion'),
    body: wishes,
    acls: ['user:delete'],
    faults: faultsOf(ask, expected === undefined && 'expected_pending_deletion_at'),
    judge() {
      requireNotErased(ask)
      const account = target(ask)
      const before = account.deletion ?? refuse('NO_PENDING_DELETION')
      if (before.at !== expected) refuse('CONFLICT')
      return changed(ask, account, {
        action: 'cancel_deletion',
        change: () => {
          account.deletion = null
          if (notifies) noteMail(ask.world, account, 'cancelled')
          account.flags &= ~(flagBits.DELETED | flagBits.SELF_DELETED)
        },
        metadata: () => ({ ...earlier('cancelled', before), notify_user: String(notifies) }),
      })
    },
  }
}

export function terminateSessions(ask: Ask): AdminPlay {
  return {
    method: 'DELETE',
    path: at(ask.id, '/sessions'),
    acls: ['user:update:flags'],
    faults: faultsOf(ask),
    judge() {
      const account = targetWithin(ask)
      return {
        status: 200,
        settle: () => ({ terminated_count: endSessions(account) }),
        entries: () => [entryOf(ask, 'terminate_sessions')],
        tells: () => [],
        ...(hasLive(account) ? { ends: account } : {}),
      }
    },
  }
}

const hasLive = ({ sessions }: ModelAccount): boolean => sessions.some(({ ended }) => !ended)
