import { createHash } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.js'
import { refuseBot } from '../../access/refuse-bots.js'
import { startSession, type AuthToken } from '../accounts/start-session.js'
import type { Requester } from '../../caller.js'
import type { Rate } from '../../ports/allowances.js'
import type { Ports } from '../../ports.js'
import { mfaTicket, refuseTicket } from './mfa-ticket.js'

/** How often a second factor may be tried (reference identity 1.9.2). */
const accountRate: Rate = { requests: 10, seconds: 15 * 60 }
const ticketRate: Rate = { requests: 5, seconds: 5 * 60 }

const [ofAccount, ofTicket] = ['MFA completions of account', 'MFA completions of ticket']

/**
 * Charges one try of a second factor, before it is looked at. Says whether it may count: where it may not, the answer is as if
 * the proof were wrong. A ticket that was tried too often is destroyed.
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
 * Begins the session of an account whose second factor was right: the ticket is consumed, and the account has all its tries
 * again. Refuses with SESSION_TIMEOUT on `ticket` where another request was faster, and with BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED.
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
  const { answer } = await startSession(ports, requester, accountId)
  return answer
}

/** Tickets are secrets: allowances know them by a hash. */
function keyOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}
