/** The data of a ticket: JSON, at most `ticketPayload_bytes_max` as text in UTF-8. */
export type TicketPayload = object

/**
 * The format of a ticket. Each is unguessable: 32 bytes as 43 characters of base64url, 64 letters and digits (mailed
 * tokens), a version 4 UUID (change tickets and proofs), or 12 of `typedCodeAlphabet`, which people read on one screen
 * and type on another. Typed codes must live shortly, and their wrong tries must be counted.
 */
export type TicketForm = 'base64url' | 'alphanumeric' | 'uuid' | 'typed'

declare const carried: unique symbol
/** What tickets are for. A ticket of one kind is invalid as any other kind. */
export interface TicketKind<Payload extends TicketPayload> {
  readonly name: string
  readonly form: TicketForm
  readonly [carried]?: Payload
}

/**
 * Short-lived, single-use secrets that are not history: MFA tickets, challenges, mailed tokens, states of a sign-on. Only a hash
 * of a ticket is stored, and its payload is sealed. The store's clock counts, so all processes agree. Every adapter passes
 * test/contract/tickets-contract.ts.
 *
 * The answer is undefined alike for tickets that are unknown, of another kind, consumed, revoked or expired.
 */
export interface Tickets {
  /**
   * Makes a ticket that lives for `lifetime_s` seconds. `subject`, the account that it belongs to, lets `revokeAll` find it.
   * Throws if payload or lifetime are out of bounds, which is a mistake of the caller.
   */
  issue<Payload extends TicketPayload>(
    kind: TicketKind<Payload>,
    payload: Payload,
    lifetime_s: number,
    subject?: string,
  ): Promise<string>
  /** Consumes a ticket and gives its payload. If several callers take it at the same moment, one gets it. */
  take<Payload extends TicketPayload>(kind: TicketKind<Payload>, ticket: string): Promise<Payload | undefined>
  /** The payload of a ticket, which stays valid. */
  look<Payload extends TicketPayload>(kind: TicketKind<Payload>, ticket: string): Promise<Payload | undefined>
  /**
   * Replaces a ticket's payload with the result of `next`, and gives the new payload. If another caller changes it meanwhile,
   * `next` runs again, so no change is lost. If `next` throws, such as a refusal, or returns the payload itself, nothing changes.
   * `lifetime_s`: the new remaining lifetime; unchanged by default.
   */
  change<Payload extends TicketPayload>(
    kind: TicketKind<Payload>,
    ticket: string,
    next: (payload: Payload) => Payload,
    lifetime_s?: number,
  ): Promise<Payload | undefined>
  /** Revokes all live tickets of a kind that belong to a subject. */
  revokeAll(kind: TicketKind<TicketPayload>, subject: string): Promise<void>
  /** Deletes all tickets of a subject, of every kind. */
  forget(subject: string): Promise<void>
}
