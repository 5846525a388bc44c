import { accept, refuse, type Decision } from '../../kernel/decider.js'
import type { ErrorCode } from '../../kernel/error-codes.js'
import type { AccountEvent } from '../events.js'
import type { Account } from '../state.js'

/**
 * Why no session may begin for an account, whoever proved what; undefined where one may. REGISTRATION_PENDING_APPROVAL,
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

/** Lets an account in that waits, or that was turned away: an operator may think again. */
export function approveRegistration({ id: accountId, admission }: Account): Decision<AccountEvent> {
  return admission === 'admitted' ? accept() : accept({ type: 'RegistrationApproved', data: { accountId } })
}

/** Turns an account away that waits. One that was let in can't be turned away any more: CONFLICT. */
export function rejectRegistration({ id: accountId, admission }: Account): Decision<AccountEvent> {
  if (admission === 'admitted') return refuse('CONFLICT')
  return admission === 'rejected' ? accept() : accept({ type: 'RegistrationRejected', data: { accountId } })
}
