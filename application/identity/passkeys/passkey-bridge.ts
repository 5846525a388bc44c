import { createHash, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../../domain/ids/ids.js'
import { startOwnSession } from '../accounts/start-own-session.js'
import type { AuthToken } from '../accounts/start-session.js'
import type { Requester } from '../../caller.js'
import { ticketKind } from '../../ports/tickets.js'
import type { Ports } from '../../ports.js'
import { refuseTicket } from '../second-factors/mfa-ticket.js'
import type { Assertion } from './prove-by-passkey.js'
import { holderByPasskey, type PasskeySignInNeeds } from './sign-in-by-passkey.js'

/** Somebody has proved themselves on a page of the instance, for a client that shows no such page. */
interface BridgeTicket {
  readonly accountId: AccountId
  readonly credentialVersion: number
  /** base64url SHA-256 of what the client keeps to itself. */
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
 * Begins a sign-in by passkey on a page of the instance that another client, to which no browser gives passkeys of this
 * instance, finishes: it gets a ticket for one use within a minute, worth nothing without the code verifier that the client
 * has never sent. Refuses as `signInByPasskey`. Reference identity 4.15; docs/decisions/0013-identity-choices.md.
 */
export function startPasskeyBridge(ports: PasskeySignInNeeds) {
  return async (requester: Requester, { codeChallenge, ...assertion }: BridgeStart): Promise<{ ticket: string }> => {
    const { id: accountId, credentialVersion } = await holderByPasskey(ports, requester, assertion)
    const carried = { accountId, credentialVersion, codeChallenge }
    return { ticket: await ports.tickets.issue(bridgeTicket, carried, bridgeTicket_s, accountId) }
  }
}

/**
 * Finishes it: the session is that of the client which redeems. The ticket is consumed whatever comes of it. Refuses with
 * SESSION_TIMEOUT on `ticket` where it is unknown, used, expired, older than the account's credentials, or of another verifier,
 * and with BOT_USER_AUTH_SESSION_CREATION_DENIED.
 */
export function redeemPasskeyBridge(ports: Pick<Ports, 'aggregates' | 'mail' | 'queries' | 'readModels' | 'tickets'>) {
  return async (requester: Requester, { ticket, codeVerifier }: BridgeRedemption): Promise<AuthToken> => {
    const carried = await ports.tickets.take(bridgeTicket, ticket)
    if (!carried || !isVerifierOf(codeVerifier, carried.codeChallenge)) return refuseTicket()
    const { state } = await ports.aggregates.account.load(carried.accountId)
    if (state.status !== 'registered' || state.credentialVersion !== carried.credentialVersion) return refuseTicket()
    return startOwnSession(ports, requester, carried.accountId)
  }
}

function isVerifierOf(codeVerifier: string, codeChallenge: string): boolean {
  const given = createHash('sha256').update(codeVerifier).digest()
  const wanted = Buffer.from(codeChallenge, 'base64url')
  return wanted.length === given.length && timingSafeEqual(given, wanted)
}
