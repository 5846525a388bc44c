import { field } from '../../../domain/kernel/refusal.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { chargeMfaCompletion, completeMfa } from '../second-factors/mfa-completion.ts'
import { accountOfMfaTicket } from '../second-factors/mfa-ticket.ts'
import { mfaChallenge, mfaTicketHash, newChallenge } from './challenges.ts'
import { authenticationOptions, type AuthenticationOptions } from './options.ts'
import { proveByPasskey, type Assertion, type AssertionNeeds } from './prove-by-passkey.ts'
import { relyingParty } from './relying-party.ts'

/**
 * The options with which a browser asks for a passkey, to finish a sign-in; the MFA ticket stays valid. Refuses with
 * SESSION_TIMEOUT on `ticket`, UNKNOWN_USER and NO_PASSKEYS_REGISTERED.
 */
export function mfaPasskeyOptions(ports: Pick<Ports, 'aggregates' | 'instance' | 'tickets'>) {
  return async (ticket: string): Promise<AuthenticationOptions> => {
    const { id: accountId, secondFactors } = await accountOfMfaTicket(ports, ticket)
    const { webAuthnCredentials: held } = secondFactors
    if (held.length === 0) reject('NO_PASSKEYS_REGISTERED')
    const bound = { accountId, mfaTicket_hash: mfaTicketHash(ticket) }
    const challenge = await newChallenge(ports, mfaChallenge, bound)
    return authenticationOptions(relyingParty(ports.instance), challenge, held)
  }
}

export interface PasskeyCompletion extends Assertion {
  readonly ticket: string
}

/**
 * Finishes a sign-in by a passkey. Refuses with SESSION_TIMEOUT on `ticket`, UNKNOWN_USER, INVALID_CODE on `ticket`
 * after too many tries, and PASSKEY_AUTHENTICATION_FAILED for anything wrong with the assertion or its challenge, which
 * must be one for this ticket. See rules/credentials#second-step.
 */
export function completeMfaByPasskey(
  ports: AssertionNeeds & Pick<Ports, 'allowances' | 'mail' | 'queries' | 'readModels' | 'tickets'>,
) {
  return async (requester: Requester, { ticket, ...assertion }: PasskeyCompletion): Promise<AuthToken> => {
    const account = await accountOfMfaTicket(ports, ticket)
    const mayCount = await chargeMfaCompletion(ports, account.id, ticket)
    if (!mayCount) reject('INVALID_FORM_BODY', field('ticket', 'INVALID_CODE'))
    const given = await ports.tickets.take(mfaChallenge, assertion.challenge)
    const isBound = given?.accountId === account.id && given.mfaTicket_hash === mfaTicketHash(ticket)
    const context = contextWith(requester.context, { actor: { kind: 'account', id: account.id } })
    const isProved = isBound && (await proveByPasskey(ports, account, assertion, { verifiesUser: false }, context))
    if (!isProved) return reject('PASSKEY_AUTHENTICATION_FAILED')
    return completeMfa(ports, requester, account.id, ticket)
  }
}
