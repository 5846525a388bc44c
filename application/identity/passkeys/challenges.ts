import { createHash } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { TicketKind, Tickets } from '../../ports/tickets.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'

/**
 * A challenge is a ticket: 32 random bytes for a single use, for one flow, within five minutes. The client gets the
 * ticket itself to have it signed. Consuming it shows what it was issued for.
 */
const lifetime_s = 300

interface OfAccount {
  readonly accountId: AccountId
}

/** `mfaTicket_hash`: base64url SHA-256 of the MFA ticket that the challenge completes. */
interface OfMfaTicket extends OfAccount {
  readonly mfaTicket_hash: string
}

export const registrationChallenge = ticketKind<OfAccount>('webauthn_registration')
export const sudoChallenge = ticketKind<OfAccount>('webauthn_sudo')
export const mfaChallenge = ticketKind<OfMfaTicket>('webauthn_mfa')
/** Bound to nobody: the assertion says whose it is. */
export const discoverableChallenge = ticketKind<Record<string, never>>('webauthn_discoverable')

/** Issues a challenge, base64url. */
export function newChallenge<Bound extends object>(
  { tickets }: { readonly tickets: Tickets },
  kind: TicketKind<Bound>,
  bound: Bound,
): Promise<string> {
  return tickets.issue(kind, bound, lifetime_s)
}

/** The hash that binds a challenge to an MFA ticket: the ticket itself is not stored a second time. */
export function mfaTicketHash(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
