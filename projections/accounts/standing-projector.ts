import { deletionReasons } from '../../domain/account/deletion-reasons.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { hasFlag, withFlags } from '../../domain/account/flags.ts'
import { badgeOptionsOf, withBadgeOptions } from '../../domain/premium/premium-flags.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { PremiumFields } from '../../domain/premium/premium.ts'
import { overAt } from '../../domain/premium/premium-now.ts'
import { snakeCased } from '../../domain/text/letter-case.ts'
import { patch, type Handlers, type Row, type RowChange } from '../runner/projection.ts'

/** Changes columns of an account's row. */
export const changed = ({ accountId }: { readonly accountId: AccountId }, columns: Row): RowChange =>
  patch('accounts', { id: accountId }, columns)

/** What an account is and may do. */
export const standingOn = {
  FlagsChanged: ({ data }) => [changed(data, flagColumns(data.flags))],
  PremiumFlagsChanged: ({ data }) => [changed(data, premiumFlagColumns(data.flags))],
  PremiumPaid: ({ data }) => [premiumChanged(data)],
  PremiumCut: ({ data }) => [premiumChanged(data)],
  PremiumReversed: ({ data }) => [premiumChanged(data)],
  PremiumEnded: ({ data }) => [premiumChanged(data)],
  GiftTimeAdded: ({ data }) => [premiumChanged(data)],
  GiftTimeTaken: ({ data }) => [premiumChanged(data)],
  GiftCodeObtained: ({ data }) => [premiumChanged(data)],
  GiftCodesSeen: ({ data }) => [premiumChanged(data)],
  LifetimePremiumSet: ({ data }) => [premiumChanged(data)],
  StoreTokenMade: ({ data }) => [changed(data, { store_token_hash: data.tokenHash })],
  TraitsSet: ({ data }) => [changed(data, { traits: data.traits ?? [] })],
  BotStatusSet: ({ data }) => [changed(data, { bot: data.bot, ...(data.bot ? {} : { system: false }) })],
  SystemStatusSet: ({ data }) => [changed(data, { system: data.system })],
  DateOfBirthChanged: ({ data }) => [changed(data, { date_of_birth: data.dateOfBirth })],
  AccountDisabled: ({ data }) => [changed(data, { is_disabled: true })],
  AccountEnabled: ({ data }) => [changed(data, { is_disabled: false })],
  GatewaySessionNoted: ({ data }) => [changed(data, { has_session_started: true })],
  AccountBanned: ({ data }) => [changed(data, { banned_until: data.until, is_disabled: true })],
  AccountBanLifted: ({ data }) => [changed(data, { banned_until: null, is_disabled: false })],
  SelfDeletionScheduled: ({ data }) => [
    changed(data, {
      ...noDeletion,
      deletion_due_at: data.dueAt,
      deletion_reason_code: deletionReasons.USER_REQUESTED,
      is_self_deleted: true,
    }),
  ],
  SelfDeletionCancelled: ({ data }) => [changed(data, { ...noDeletion, is_self_deleted: false })],
  AccountDeletionScheduled: ({ data }) => [
    changed(data, {
      deletion_due_at: data.dueAt,
      deletion_reason_code: data.reasonCode,
      deletion_public_reason: data.publicReason,
      deletion_audit_log_reason: data.auditLogReason,
      deletion_scheduled_by: data.scheduledBy,
      deletion_scheduled_at: data.scheduledAt,
      is_deleted: true,
    }),
  ],
  AccountDeletionCancelled: ({ data }) => [changed(data, { ...noDeletion, is_self_deleted: false, is_deleted: false })],
  MessageDeletionScheduled: ({ data }) => [
    changed(data, {
      message_deletion_due_at: data.dueAt,
      message_deletion_channels: data.channelCount,
      message_deletion_messages: data.messageCount,
    }),
  ],
  MessageDeletionCancelled: ({ data }) => [changed(data, noMessageDeletion)],
  MessageDeletionWithdrawn: ({ data }) => [changed(data, noMessageDeletion)],
  MessageDeletionFinished: ({ data }) => [changed(data, noMessageDeletion)],
} satisfies Handlers<AccountEvent>

const noMessageDeletion = {
  message_deletion_due_at: null,
  message_deletion_channels: null,
  message_deletion_messages: null,
}

function premiumChanged(data: { readonly accountId: AccountId; readonly premium: PremiumFields }): RowChange {
  const { premium } = data
  return changed(data, { premium: { ...premium }, premium_over_at: overAt(premium) })
}

const noDeletion = {
  deletion_due_at: null,
  deletion_reason_code: null,
  deletion_public_reason: null,
  deletion_audit_log_reason: null,
  deletion_scheduled_by: null,
  deletion_scheduled_at: null,
}

/** The bits that other events set too have columns of their own. */
const flagsOfColumns = [
  'DISABLED',
  'SELF_DELETED',
  'DELETED',
  'HAS_SESSION_STARTED',
  'HAS_DISMISSED_PREMIUM_ONBOARDING',
] as const

function flagColumns(flags: string): Row {
  return {
    // The column is a signed int8: bit 63 is its sign.
    flags: BigInt.asIntN(64, BigInt(withFlags(flags, false, ...flagsOfColumns))).toString(),
    is_disabled: hasFlag({ flags }, 'DISABLED'),
    is_self_deleted: hasFlag({ flags }, 'SELF_DELETED'),
    is_deleted: hasFlag({ flags }, 'DELETED'),
    has_session_started: hasFlag({ flags }, 'HAS_SESSION_STARTED'),
    has_dismissed_premium_onboarding: hasFlag({ flags }, 'HAS_DISMISSED_PREMIUM_ONBOARDING'),
  }
}

function premiumFlagColumns(flags: number): Row {
  return { premium_flags: withBadgeOptions(flags, badgeOptionsOf(0)), ...snakeCased(badgeOptionsOf(flags)) }
}
