import { accept, refuse, type Decision } from '../../kernel/decider.js'
import type { ErrorCode } from '../../kernel/error-codes.js'
import { msOf, type Timestamp } from '../../kernel/timestamp.js'
import type { AccountEvent } from '../events.js'
import { hasFlag } from '../flags.js'
import type { Account } from '../state.js'

/**
 * Why an account may start no session, whatever the proof; undefined if it may. REGISTRATION_PENDING_APPROVAL,
 * REGISTRATION_REJECTED, ACCOUNT_SUSPENDED_PERMANENTLY once an administrator scheduled its deletion, ACCOUNT_SUSPENDED_TEMPORARILY
 * under a ban, even a permanent one. Reference identity 4, Account state codes at session creation.
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

/** A flag cleared by hand lifts neither a ban nor a scheduled deletion. */
function suspensionOf(account: Account, now: Timestamp): ErrorCode | undefined {
  const { bannedUntil, deletion } = account
  if (hasFlag(account, 'DELETED') || (deletion && deletion.scheduledBy !== null)) return 'ACCOUNT_SUSPENDED_PERMANENTLY'
  return bannedUntil !== null && msOf(bannedUntil) > msOf(now) ? 'ACCOUNT_SUSPENDED_TEMPORARILY' : undefined
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
