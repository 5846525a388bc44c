import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { startOwnSession } from '../accounts/start-own-session.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import { insteadOf } from '../../commands/refused.ts'
import type { Requester } from '../../caller.ts'
import { ticketKind } from '../../secrets/ticket-kind.ts'
import type { Ports } from '../../ports.ts'
import { refuseTicket } from '../second-factors/mfa-ticket.ts'
import type { Assertion } from './prove-by-passkey.ts'
import { holderByPasskey, type PasskeySignInNeeds } from './sign-in-by-passkey.ts'

/** A proof made on a page of the instance, for a client that cannot show such a page. */
interface BridgeTicket {
  readonly accountId: AccountId
  readonly credentialVersion: number
  /** base64url SHA-256 of the client's secret. */
  readonly codeChallenge: string
}

const bridgeTicket = ticketKind<BridgeTicket>('passkey_bridge')
const bridgeTicket_s = 60

export interface BridgeStart extends Assertion {
  /** base64url SHA-256 of the code verifier (RFC 7636, S256). */
  readonly codeChallenge: string
}

export interface BridgeRedemption {
  readonly ticket: string
  readonly codeVerifier: string
}

/**
 * Starts a sign-in by passkey on a page of the instance, for another client to finish: browsers give that client no
 * passkeys of this instance. The client gets a ticket for a single use within a minute. It is worthless without the
 * code verifier, which the client has not sent yet. Refuses as `signInByPasskey`. See rules/credentials#passkeys and
 * decision 148.
 */
export function startPasskeyBridge(ports: PasskeySignInNeeds) {
  return async (requester: Requester, { codeChallenge, ...assertion }: BridgeStart): Promise<{ ticket: string }> => {
    const { id: accountId, credentialVersion } = await holderByPasskey(ports, requester, assertion)
    const carried = { accountId, credentialVersion, codeChallenge }
    return { ticket: await ports.tickets.issue(bridgeTicket, carried, bridgeTicket_s, accountId) }
  }
}

/**
 * Finishes the sign-in. The session belongs to the client that redeems the ticket. The ticket is consumed even if this refuses.
 * Refuses with SESSION_TIMEOUT on `ticket` if it is unknown, used, expired, older than the account's credentials, or for another
 * verifier, and with BOT_USER_AUTH_SESSION_CREATION_DENIED.
 */
export function redeemPasskeyBridge(ports: Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels' | 'tickets'>) {
  return async (requester: Requester, { ticket, codeVerifier }: BridgeRedemption): Promise<AuthToken> => {
    const carried = await ports.tickets.take(bridgeTicket, ticket)
    if (!carried || !isVerifierOf(codeVerifier, carried.codeChallenge)) return refuseTicket()
    const { state } = await ports.aggregates.account.load(carried.accountId)
    if (state.status !== 'registered' || state.credentialVersion !== carried.credentialVersion) return refuseTicket()
    return startOwnSession(ports, requester, state).catch(insteadOf('UNAUTHORIZED', refuseTicket))
  }
}

function isVerifierOf(codeVerifier: string, codeChallenge: string): boolean {
  const given = createHash('sha256').update(codeVerifier).digest()
  const wanted = Buffer.from(codeChallenge, 'base64url')
  return wanted.length === given.length && timingSafeEqual(given, wanted)
}
