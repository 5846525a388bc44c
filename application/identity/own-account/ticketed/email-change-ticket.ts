import type { Account } from '../../../../domain/account/state.js'
import type { AccountId } from '../../../../domain/ids/ids.js'
import { field } from '../../../../domain/kernel/refusal.js'
import type { Timestamp } from '../../../../domain/kernel/timestamp.js'
import { reject } from '../../../commands/refused.js'
import type { EmailedCode } from '../../emailed-codes/emailed-code.js'
import { ticketKind } from '../../../ports/tickets.js'
import type { Ports } from '../../../ports.js'

/** A change of the e-mail address that is under way (reference identity 6.5). */
export interface EmailChange {
  readonly accountId: AccountId
  /** The address that the account has: once it has another one, the ticket is worth nothing. */
  readonly from: string | null
  /** The code to that address; undefined where it need not be proved. */
  readonly original?: { readonly code: EmailedCode | null }
  /** Of the proof of that address; null until it is handed out. */
  readonly proofHash: string | null
  /** The address that the account is to have; null until one is asked for. */
  readonly next: { readonly email: string; readonly code: EmailedCode | null } | null
  readonly isCompleted: boolean
}

/** Longer than a code, which can be asked for anew. */
export const emailChange_s = 30 * 60
export const emailChangeTicket = ticketKind<EmailChange>('email change', 'uuid')

/** An address that was proved, to be applied. */
export interface EmailToken {
  readonly accountId: AccountId
  readonly email: string
  /** The address that the account had when it was proved. */
  readonly from: string | null
  readonly expiresAt: Timestamp
}

/** Reference identity 3.3. */
export const emailToken_s = 30 * 60
/** It is known for longer than it serves, so that it can be told from one that never was. */
export const emailTokenKept_s = 2 * emailToken_s
export const emailTokenTicket = ticketKind<EmailToken>('email token', 'uuid')

/**
 * The change that a ticket of the account stands for. Refuses with INVALID_FORM_BODY on `ticket` with
 * INVALID_OR_EXPIRED_TICKET or TICKET_ALREADY_COMPLETED.
 */
export async function requireEmailChange(
  { tickets }: Pick<Ports, 'tickets'>,
  account: Account,
  ticket: string,
): Promise<EmailChange> {
  const found = await tickets.look(emailChangeTicket, ticket)
  if (found?.accountId !== account.id || found.from !== account.email) return refuseTicket()
  return live(found)
}

/** Changes what a ticket stands for; `next` may refuse. Refuses as `requireEmailChange`, also where another was faster. */
export async function moveOn(
  { tickets }: Pick<Ports, 'tickets'>,
  ticket: string,
  next: (change: EmailChange) => EmailChange,
): Promise<EmailChange> {
  return (await tickets.change(emailChangeTicket, ticket, (found) => next(live(found)))) ?? refuseTicket()
}

function live(change: EmailChange): EmailChange {
  return change.isCompleted ? reject('INVALID_FORM_BODY', field('ticket', 'TICKET_ALREADY_COMPLETED')) : change
}

function refuseTicket(): never {
  return reject('INVALID_FORM_BODY', field('ticket', 'INVALID_OR_EXPIRED_TICKET'))
}
