import { createHash } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import { startSession, type AuthToken } from '../accounts/start-session.ts'
import { insteadOf } from '../../commands/refused.ts'
import type { Requester } from '../../caller.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'
import { mfaTicket, refuseTicket } from './mfa-ticket.ts'

/** How often a second factor can be tried. */
const accountRate: Rate = { requests: 10, seconds: 15 * 60 }
const ticketRate: Rate = { requests: 5, seconds: 5 * 60 }

const [ofAccount, ofTicket] = ['MFA completions of account', 'MFA completions of ticket']

/**
 * Charges one try of a second factor, before it is checked. False if the try may not count; then the answer is as for a wrong
 * proof. A ticket with too many tries is destroyed.
 */
export async function chargeMfaCompletion(
  { allowances, tickets }: Pick<Ports, 'allowances' | 'tickets'>,
  accountId: AccountId,
  ticket: string,
): Promise<boolean> {
  const forTicket = await allowances.take(ofTicket, keyOf(ticket), ticketRate)
  if (!forTicket.allowed) {
    await tickets.take(mfaTicket, ticket)
    return false
  }
  const forAccount = await allowances.take(ofAccount, accountId, accountRate)
  return forAccount.allowed
}

/**
 * Starts the session of an account after its second factor was right. Consumes the ticket and restores the account's tries.
 * Refuses with SESSION_TIMEOUT on `ticket` if another request was faster, and with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED.
 */
export async function completeMfa(
  ports: Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'queries' | 'readModels' | 'tickets'>,
  requester: Requester,
  accountId: AccountId,
  ticket: string,
): Promise<AuthToken> {
  await refuseBot(ports, accountId)
  const taken = await ports.tickets.take(mfaTicket, ticket)
  if (!taken) return refuseTicket()
  await ports.allowances.reset(ofAccount, accountId)
  const terms = { provedUnder: taken.credentialVersion }
  const { answer } = await startSession(ports, requester, accountId, terms).catch(
    insteadOf('UNAUTHORIZED', refuseTicket),
  )
  return answer
}

/** Tickets are secrets, so allowances use a hash of them. */
function keyOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
