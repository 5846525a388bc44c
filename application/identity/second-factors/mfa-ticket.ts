import type { Account } from '../../../domain/account/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { reject } from '../../commands/refused.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'
import type { Ports } from '../../ports.ts'

/** A sign-in with the right password that still needs a second factor. */
export interface MfaTicket {
  readonly accountId: AccountId
  /** The version of the account's credentials at that time. A change of the password makes the ticket invalid. */
  readonly credentialVersion: number
}

export const mfaTicket = ticketKind<MfaTicket>('mfa')
/** How long somebody has for the second step of a sign-in. */
export const mfaTicket_s = 5 * 60

/**
 * The account of an MFA ticket; the ticket stays valid. Refuses with SESSION_TIMEOUT on `ticket` if it is unknown,
 * used, expired or older than the account's credentials, and with UNKNOWN_USER if the account is gone.
 */
export async function accountOfMfaTicket(
  { aggregates, tickets }: Pick<Ports, 'aggregates' | 'tickets'>,
  ticket: string,
): Promise<Account> {
  const found = await tickets.look(mfaTicket, ticket)
  if (!found) return refuseTicket()
  const { state } = await aggregates.account.load(found.accountId)
  if (state.status !== 'registered') return reject('UNKNOWN_USER')
  return state.credentialVersion === found.credentialVersion ? state : refuseTicket()
}

export function refuseTicket(): never {
  return reject('INVALID_FORM_BODY', field('ticket', 'SESSION_TIMEOUT'))
}
