import type { Account } from '../../../domain/account/state.ts'
import { startOwnSession } from '../accounts/start-own-session.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { insteadOf, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { discoverableChallenge, newChallenge } from './challenges.ts'
import { authenticationOptions, type AuthenticationOptions } from './options.ts'
import { proveByPasskey, type Assertion, type AssertionNeeds } from './prove-by-passkey.ts'
import { relyingParty } from './relying-party.ts'

/** The options with which a browser asks for any passkey of any account. */
export function discoverablePasskeyOptions(ports: Pick<Ports, 'instance' | 'tickets'>) {
  return async (): Promise<AuthenticationOptions> => {
    const challenge = await newChallenge(ports, discoverableChallenge, {})
    return authenticationOptions(relyingParty(ports.instance), challenge, 'any')
  }
}

export type PasskeySignInNeeds = AssertionNeeds & Pick<Ports, 'mail' | 'queries' | 'readModels' | 'tickets'>

/**
 * Signs in by a passkey alone, whose authenticator has verified the user; no second factor is needed. Undoes a
 * disabling and a scheduled deletion, like a password does. Refuses with PASSKEY_AUTHENTICATION_FAILED for any fault,
 * and with BOT_USER_AUTH_SESSION_CREATION_DENIED. See rules/credentials#passkeys.
 */
export function signInByPasskey(ports: PasskeySignInNeeds) {
  return async (requester: Requester, assertion: Assertion): Promise<AuthToken> =>
    startOwnSession(ports, requester, await holderByPasskey(ports, requester, assertion)).catch(
      insteadOf('UNAUTHORIZED', () => reject('PASSKEY_AUTHENTICATION_FAILED')),
    )
}

/** The account that an assertion for a discoverable challenge proves; the assertion is used up. Refuses as `signInByPasskey`. */
export async function holderByPasskey(
  ports: PasskeySignInNeeds,
  { context }: Requester,
  assertion: Assertion,
): Promise<Account> {
  const given = await ports.tickets.take(discoverableChallenge, assertion.challenge)
  const claim = ports.passkeys.claimOf(assertion.response)
  if (!given || !claim) return reject('PASSKEY_AUTHENTICATION_FAILED')
  const id = await ports.queries.passkeys.holderOf(claim.credentialId)
  if (id === undefined) return reject('PASSKEY_AUTHENTICATION_FAILED')
  const { state } = await ports.aggregates.account.load(id)
  const own = contextWith(context, { actor: { kind: 'account', id } })
  if (state.status !== 'registered') return reject('PASSKEY_AUTHENTICATION_FAILED')
  const isProved = await proveByPasskey(ports, state, assertion, { verifiesUser: true }, own)
  return isProved ? state : reject('PASSKEY_AUTHENTICATION_FAILED')
}
