import type { Account } from '../../../../domain/account/state.js'
import type { AccountId } from '../../../../domain/ids/ids.js'
import { field } from '../../../../domain/kernel/refusal.js'
import { reject } from '../../../commands/refused.js'
import type { EmailedCode } from '../../emailed-codes/emailed-code.js'
import { ticketKind } from '../../../ports/tickets.js'
import type { Ports } from '../../../ports.js'

/** A change of the password that is under way (reference identity 6.6). */
export interface PasswordChange {
  readonly accountId: AccountId
  /** Where the code goes: once the account has another address, the ticket is worth nothing. */
  readonly email: string
  /** As `email`, of what the account proves itself by. */
  readonly credentialVersion: number
  /** Null once it has served. */
  readonly code: EmailedCode | null
  /** Of the proof; null until it is handed out. */
  readonly proofHash: string | null
  readonly isCompleted: boolean
}

/** Longer than a code, which can be asked for anew. */
export const passwordChange_s = 30 * 60
export const passwordChangeTicket = ticketKind<PasswordChange>('password change', 'uuid')

/**
 * The change that a ticket of the account stands for. Refuses with INVALID_FORM_BODY on `ticket` with
 * INVALID_OR_EXPIRED_TICKET or TICKET_ALREADY_COMPLETED.
 */
export async function requirePasswordTicket(
  { tickets }: Pick<Ports, 'tickets'>,
  { id, email, credentialVersion }: Account,
  ticket: string,
): Promise<PasswordChange> {
  const found = await tickets.look(passwordChangeTicket, ticket)
  if (found?.accountId !== id || found.email !== email) return refuseTicket()
  // A change that is complete has changed the version itself.
  return found.isCompleted || found.credentialVersion === credentialVersion ? live(found) : refuseTicket()
}

/** Changes what a ticket stands for; `next` may refuse. Refuses as `requirePasswordTicket`, also where another was faster. */
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
