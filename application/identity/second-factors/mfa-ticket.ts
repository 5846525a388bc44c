import type { Account } from '../../../domain/account/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import { field } from '../../../domain/kernel/refusal.js'
import { reject } from '../../commands/refused.js'
import { ticketKind } from '../../ports/tickets.js'
import type { Ports } from '../../ports.js'

/** Somebody gave the right password, and is asked for a second factor. */
export interface MfaTicket {
  readonly accountId: AccountId
  /** The account's at that time: the ticket of a password that was changed since is worth nothing. */
  readonly credentialVersion: number
}

export const mfaTicket = ticketKind<MfaTicket>('mfa')
/** Reference identity 3.3. */
export const mfaTicket_s = 5 * 60

/**
 * The account that an MFA ticket is of; the ticket stays. Refuses with SESSION_TIMEOUT on `ticket` where it is unknown, used,
 * expired or older than the account's credentials, and with UNKNOWN_USER where the account is gone. Reference identity 4.5.
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
