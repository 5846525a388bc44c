import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import type { ErrorCode } from '../../kernel/error-codes.ts'
import type { Timestamp } from '../../kernel/timestamp.ts'
import { isBanned, isBanOver } from '../ban.ts'
import type { AccountEvent } from '../events.ts'
import { hasClosingFlag, hasFlag, withFlags } from '../flags.ts'
import type { Account } from '../state.ts'

/**
 * Why an account may start no session, whatever the proof; undefined if it may. REGISTRATION_PENDING_APPROVAL,
 * REGISTRATION_REJECTED, ACCOUNT_SUSPENDED_PERMANENTLY once an administrator scheduled its deletion,
 * ACCOUNT_SUSPENDED_TEMPORARILY under a ban, even a permanent one (rules/credentials#who-may-have-a-session).
 */
export function sessionBar(account: Account, now: Timestamp): ErrorCode | undefined {
  switch (account.admission) {
    case 'admitted':
      return suspensionOf(account, now)
    case 'pending':
      return 'REGISTRATION_PENDING_APPROVAL'
    case 'rejected':
      return 'REGISTRATION_REJECTED'
  }
}

/** The facts that suspend or close an account, in its state and in its record of the read model. */
export type Standing = Pick<Account, 'flags' | 'bannedUntil' | 'deletion'>

/** A flag cleared by hand lifts neither a ban nor a scheduled deletion. */
function suspensionOf(account: Standing, now: Timestamp): ErrorCode | undefined {
  if (isSuspendedForGood(account)) return 'ACCOUNT_SUSPENDED_PERMANENTLY'
  return isBanned(account, now) ? 'ACCOUNT_SUSPENDED_TEMPORARILY' : undefined
}

/** Whether an administrator scheduled the deletion of the account, or marked it deleted. */
export function isSuspendedForGood(account: Standing): boolean {
  const { deletion } = account
  return hasFlag(account, 'DELETED') || (deletion !== null && deletion.scheduledBy !== null)
}

/**
 * Whether nothing that acts for the account works now: it is suspended, or its holder has disabled it or scheduled its deletion.
 * A ban that is over closes nothing, and neither does the DISABLED that came with it.
 */
export function isClosedAt(account: Standing, now: Timestamp): boolean {
  if (suspensionOf(account, now) || account.deletion !== null) return true
  const { flags } = account
  return hasClosingFlag({ flags: isBanOver(account, now) ? withFlags(flags, false, 'DISABLED') : flags })
}

/** Approves a registration that waits or was rejected: an operator may change their mind. */
export function approveRegistration({ id: accountId, admission }: Account): Decision<AccountEvent> {
  return admission === 'admitted' ? accept() : accept({ type: 'RegistrationApproved', data: { accountId } })
}

/** Rejects a registration that waits. An approved one cannot be rejected any more: CONFLICT. */
export function rejectRegistration({ id: accountId, admission }: Account): Decision<AccountEvent> {
  if (admission === 'admitted') return refuse('CONFLICT')
  return admission === 'rejected' ? accept() : accept({ type: 'RegistrationRejected', data: { accountId } })
}
