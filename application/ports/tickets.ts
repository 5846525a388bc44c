/** What a ticket may carry: JSON, at most `ticketPayload_bytes_max` as text in UTF-8. */
export type TicketPayload = object

export const ticketPayload_bytes_max = 16_384
/** No ticket lives longer. */
export const ticketLifetime_s_max = 7 * 24 * 3600

/**
 * How a ticket looks, unguessable in each form: 32 bytes as 43 characters of base64url, 64 letters and digits (tokens that are
 * mailed), a version 4 UUID (change tickets and proofs), or 12 of `typedCodeAlphabet`, which people read from one screen and type
 * at another: these last have to live shortly, and wrong ones to be counted. Reference identity 3.1.
 */
export type TicketForm = 'base64url' | 'alphanumeric' | 'uuid' | 'typed'

/** Without those that look alike. */
export const typedCodeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
export const typedCode_characters = 12

declare const carried: unique symbol
/** What tickets are for. A ticket of one kind is nothing under another. */
export interface TicketKind<Payload extends TicketPayload> {
  readonly name: string
  readonly form: TicketForm
  readonly [carried]?: Payload
}

/**
 * Names a kind and what its tickets carry: `const mfaTicket = ticketKind<{ accountId: AccountId }>('mfa')`. Where the shape of
 * the payload changes, so does the name: tickets outlive a restart.
 */
export function ticketKind<Payload extends TicketPayload>(
  name: string,
  form: TicketForm = 'base64url',
): TicketKind<Payload> {
  return { name, form }
}

/**
 * Short-lived things that serve once, which are no history: MFA tickets, challenges, mailed tokens, states of a sign-on. Only
 * a hash of a ticket is kept, and its payload sealed. Time is that of whoever keeps them, so all processes agree. Every
 * adapter passes test/contract/tickets-contract.ts.
 *
 * Unknown, of another kind, consumed, revoked and expired are one and the same: undefined.
 */
export interface Tickets {
  /**
   * Makes a ticket that lives so many seconds. `subject`, the account whose it is, lets `revokeAll` find it. Throws where
   * payload or lifetime are out of bounds, which is a mistake of the caller.
   */
  issue<Payload extends TicketPayload>(
    kind: TicketKind<Payload>,
    payload: Payload,
    lifetime_s: number,
    subject?: string,
  ): Promise<string>
  /** Consumes a ticket and gives what it carries: of those who take it at the same moment, one gets it. */
  take<Payload extends TicketPayload>(kind: TicketKind<Payload>, ticket: string): Promise<Payload | undefined>
  /** What a ticket carries; it stays. */
  look<Payload extends TicketPayload>(kind: TicketKind<Payload>, ticket: string): Promise<Payload | undefined>
  /**
   * Replaces what a ticket carries by what `next` makes of it, and gives the new: nothing that another changes meanwhile is
   * lost, since `next` then runs again. What `next` throws, such as a refusal, leaves all as it was; so does giving back the
   * payload itself. `lifetime_s`: how long the ticket lives from now on; as before where left out.
   */
  change<Payload extends TicketPayload>(
    kind: TicketKind<Payload>,
    ticket: string,
    next: (payload: Payload) => Payload,
    lifetime_s?: number,
  ): Promise<Payload | undefined>
  /** Ends all live tickets of a kind that a subject has. */
  revokeAll(kind: TicketKind<TicketPayload>, subject: string): Promise<void>
  /** Forgets all tickets that a subject has, of every kind. */
  forget(subject: string): Promise<void>
}
