import { accept, refuse, type Decision } from '../../kernel/decider.js'
import type { ErrorCode } from '../../kernel/error-codes.js'
import type { AccountEvent } from '../events.js'
import type { Account } from '../state.js'

/**
 * Why an account may start no session, whatever the proof; undefined if it may. REGISTRATION_PENDING_APPROVAL,
 * REGISTRATION_REJECTED. Reference identity 4, Account state codes at session creation.
 */
export function sessionBar({ admission }: Account): ErrorCode | undefined {
  switch (admission) {
    case 'admitted':
      return undefined
    case 'pending':
      return 'REGISTRATION_PENDING_APPROVAL'
    case 'rejected':
      return 'REGISTRATION_REJECTED'
  }
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
