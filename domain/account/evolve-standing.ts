import { hasFlag, withFlags } from './flags.ts'
import { deletionReasons } from './deletion-reasons.ts'
import type { AccountEvent } from './events.ts'
import { badgeOptionsOf, withBadgeOptions } from '../premium/premium-flags.ts'
import type { ProfileChanges } from './profile.ts'
import type { standingEvents } from './standing-events.ts'
import type { Account } from './state.ts'

/** Events of what administrators decide, and of what holders do to their accounts: both change flags. */
type StandingEvent = Extract<
  AccountEvent,
  {
    readonly type:
      | keyof typeof standingEvents
      | 'FlagsChanged'
      | 'AccountDisabled'
      | 'AccountEnabled'
      | 'SelfDeletionScheduled'
      | 'SelfDeletionCancelled'
  }
>

/** The account after an event. */
export function evolveStanding(record: Account, event: StandingEvent): Account {
  switch (event.type) {
    case 'FlagsChanged':
      return flagsChanged(record, event.data.flags)
    case 'PremiumFlagsChanged':
      return premiumFlagsChanged(record, event.data.flags)
    case 'TraitsSet':
      return { ...record, traits: event.data.traits ?? [] }
    case 'BotStatusSet':
      return { ...record, bot: event.data.bot, system: event.data.bot && record.system }
    case 'SystemStatusSet':
      return { ...record, system: event.data.system }
    case 'DateOfBirthChanged':
      return { ...record, dateOfBirth: event.data.dateOfBirth }
    case 'AccountDisabled':
    case 'AccountEnabled':
      return { ...record, flags: withFlags(record.flags, event.type === 'AccountDisabled', 'DISABLED') }
    case 'GatewaySessionNoted':
      return { ...record, flags: withFlags(record.flags, true, 'HAS_SESSION_STARTED') }
    case 'AccountBanned':
      return { ...record, bannedUntil: event.data.until, flags: withFlags(record.flags, true, 'DISABLED') }
    case 'AccountBanLifted':
      return { ...record, bannedUntil: null, flags: withFlags(record.flags, false, 'DISABLED') }
    case 'SelfDeletionScheduled':
    case 'AccountDeletionScheduled':
      return deletionScheduled(record, event)
    case 'SelfDeletionCancelled':
      return { ...record, deletion: null, flags: withFlags(record.flags, false, 'SELF_DELETED') }
    case 'AccountDeletionCancelled':
      return { ...record, deletion: null, flags: withFlags(record.flags, false, 'DELETED', 'SELF_DELETED') }
    case 'MessageDeletionScheduled': {
      const { accountId: _, ...messageDeletion } = event.data
      return { ...record, messageDeletion }
    }
    case 'MessageDeletionCancelled':
    case 'MessageDeletionWithdrawn':
    case 'MessageDeletionFinished':
      return { ...record, messageDeletion: null }
  }
}

/** The account after its holder changed the profile. Options that are flags too change those. */
export function profileChanged(record: Account, changes: ProfileChanges | null): Account {
  const profile = { ...record.profile, ...changes }
  return {
    ...record,
    profile,
    flags: withFlags(record.flags, profile.hasDismissedPremiumOnboarding, 'HAS_DISMISSED_PREMIUM_ONBOARDING'),
    premiumFlags: withBadgeOptions(record.premiumFlags, profile),
  }
}

function flagsChanged(record: Account, flags: string): Account {
  const hasDismissedPremiumOnboarding = hasFlag({ flags }, 'HAS_DISMISSED_PREMIUM_ONBOARDING')
  return { ...record, flags, profile: { ...record.profile, hasDismissedPremiumOnboarding } }
}

function premiumFlagsChanged(record: Account, premiumFlags: number): Account {
  return { ...record, premiumFlags, profile: { ...record.profile, ...badgeOptionsOf(premiumFlags) } }
}

function deletionScheduled(
  record: Account,
  event: Extract<StandingEvent, { readonly type: 'SelfDeletionScheduled' | 'AccountDeletionScheduled' }>,
): Account {
  if (event.type === 'SelfDeletionScheduled') {
    const byHolder = { publicReason: null, auditLogReason: null, scheduledBy: null, scheduledAt: null }
    return {
      ...record,
      deletion: { dueAt: event.data.dueAt, reasonCode: deletionReasons.USER_REQUESTED, ...byHolder },
      flags: withFlags(record.flags, true, 'SELF_DELETED'),
    }
  }
  const { accountId: _, hasSubscriptions: _has, ...deletion } = event.data
  return { ...record, deletion, flags: withFlags(record.flags, true, 'DELETED') }
}
