import type { Account } from '../../../../domain/account/state.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { Timestamp } from '../../../../domain/kernel/timestamp.ts'
import { reject } from '../../../commands/refused.ts'
import type { EmailedCode } from '../../emailed-codes/emailed-code.ts'
import { ticketKind } from '../../../secrets/ticket-kind.ts'
import type { Ports } from '../../../ports.ts'

/** A change of the e-mail address in progress. */
export interface EmailChange {
  readonly accountId: AccountId
  /** The account's current address. Once the account has another one, the ticket is invalid. */
  readonly from: string | null
  /** The code to that address; undefined if it need not be proved. */
  readonly original?: { readonly code: EmailedCode | null }
  /** The hash of the proof for that address; null until the proof is issued. */
  readonly proofHash: string | null
  /** The requested new address; null until it is requested. */
  readonly next: { readonly email: string; readonly code: EmailedCode | null } | null
  readonly isCompleted: boolean
}

/** Longer than a code's life, because another code can be requested. */
export const emailChange_s = 30 * 60
export const emailChangeTicket = ticketKind<EmailChange>('email change', 'uuid')

/** A proved address, ready to be applied. */
export interface EmailToken {
  readonly accountId: AccountId
  readonly email: string
  /** The account's address at the time of the proof. */
  readonly from: string | null
  readonly expiresAt: Timestamp
}

/** How long the token of a proved new address can be applied. */
export const emailToken_s = 30 * 60
/** An expired token is stored longer, to tell it from one that never existed. */
export const emailTokenKept_s = 2 * emailToken_s
export const emailTokenTicket = ticketKind<EmailToken>('email token', 'uuid')

/**
 * The change of the account's ticket. Refuses with INVALID_FORM_BODY on `ticket` with INVALID_OR_EXPIRED_TICKET or
 * TICKET_ALREADY_COMPLETED.
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

/** Changes the payload of a ticket; `next` may refuse. Refuses as `requireEmailChange`, also if another request was faster. */
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
