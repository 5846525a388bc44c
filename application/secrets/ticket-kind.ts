import type { TicketForm, TicketKind, TicketPayload } from '../ports/tickets.ts'

/**
 * Names a kind and its payload: `const mfaTicket = ticketKind<{ accountId: AccountId }>('mfa')`. When the shape of the payload
 * changes, the name must change too: tickets outlive a restart.
 */
export function ticketKind<Payload extends TicketPayload>(
  name: string,
  form: TicketForm = 'base64url',
): TicketKind<Payload> {
  return { name, form }
}
