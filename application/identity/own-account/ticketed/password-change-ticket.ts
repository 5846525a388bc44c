import type { Account } from '../../../../domain/account/state.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { reject } from '../../../commands/refused.ts'
import type { EmailedCode } from '../../emailed-codes/emailed-code.ts'
import { ticketKind } from '../../../secrets/ticket-kind.ts'
import type { Ports } from '../../../ports.ts'

/** A change of the password in progress. */
export interface PasswordChange {
  readonly accountId: AccountId
  /** The address of the code. Once the account has another one, the ticket is invalid. */
  readonly email: string
  /** The same for the account's credentials. */
  readonly credentialVersion: number
  /** Null once it was used. */
  readonly code: EmailedCode | null
  /** The hash of the proof; null until the proof is issued. */
  readonly proofHash: string | null
  readonly isCompleted: boolean
}

/** Longer than a code's life, because another code can be requested. */
export const passwordChange_s = 30 * 60
export const passwordChangeTicket = ticketKind<PasswordChange>('password change', 'uuid')

/**
 * The change of the account's ticket. Refuses with INVALID_FORM_BODY on `ticket` with INVALID_OR_EXPIRED_TICKET or
 * TICKET_ALREADY_COMPLETED.
 */
export async function requirePasswordTicket(
  { tickets }: Pick<Ports, 'tickets'>,
  { id, email, credentialVersion }: Account,
  ticket: string,
): Promise<PasswordChange> {
  const found = await tickets.look(passwordChangeTicket, ticket)
  if (found?.accountId !== id || found.email !== email) return refuseTicket()
  // A completed change has itself changed the version.
  return found.isCompleted || found.credentialVersion === credentialVersion ? live(found) : refuseTicket()
}

/** Changes the payload of a ticket; `next` may refuse. Refuses as `requirePasswordTicket`, also if another request was faster. */
export async function moveOn(
  { tickets }: Pick<Ports, 'tickets'>,
  ticket: string,
  next: (change: PasswordChange) => PasswordChange,
): Promise<void> {
  const changed = await tickets.change(passwordChangeTicket, ticket, (found) => next(live(found)))
  if (!changed) refuseTicket()
}

function live(change: PasswordChange): PasswordChange {
  return change.isCompleted ? reject('INVALID_FORM_BODY', field('ticket', 'TICKET_ALREADY_COMPLETED')) : change
}

function refuseTicket(): never {
  return reject('INVALID_FORM_BODY', field('ticket', 'INVALID_OR_EXPIRED_TICKET'))
}
