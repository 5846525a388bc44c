import { webAuthnCredentials_max, type Account } from '../../../domain/account/state.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { tellHolder } from '../mail/tell-holder.ts'
import { newChallenge, registrationChallenge } from './challenges.ts'
import { registrationOptions, type RegistrationOptions } from './options.ts'
import { relyingParty } from './relying-party.ts'

export interface PasskeyToRegister {
  /** The registration response of the authenticator. */
  readonly response: object
  readonly challenge: string
  /** 1-100 characters. */
  readonly name: string
}

/**
 * The options with which the caller's browser makes a passkey. Refuses with MFA_EMAIL_VERIFICATION_REQUIRED and
 * WEBAUTHN_CREDENTIAL_LIMIT_REACHED.
 */
export function passkeyRegistrationOptions(ports: Pick<Ports, 'aggregates' | 'instance' | 'tickets'>) {
  return async (caller: Caller): Promise<RegistrationOptions> => {
    const own = await ownAccountState(ports, caller)
    requireMayAddPasskey(own)
    const challenge = await newChallenge(ports, registrationChallenge, { accountId: own.id })
    return registrationOptions(relyingParty(ports.instance), challenge, own)
  }
}

/**
 * Registers the passkey made for a challenge, and mails the holder. The challenge is consumed even if this refuses.
 * Refuses as the options do, with INVALID_WEBAUTHN_PUBLIC_KEY_FORMAT for an unusable key, and with
 * INVALID_WEBAUTHN_CREDENTIAL for any other fault, such as an id that some account already has. See
 * rules/credentials#passkeys.
 */
export function registerPasskey(
  ports: Pick<Ports, 'aggregates' | 'instance' | 'mail' | 'passkeys' | 'queries' | 'tickets'>,
) {
  return async (caller: Caller, { response, challenge, name }: PasskeyToRegister): Promise<void> => {
    const { account, context } = caller
    const given = await ports.tickets.take(registrationChallenge, challenge)
    const own = await ownAccountState(ports, caller)
    requireMayAddPasskey(own)
    if (given?.accountId !== account.id) return reject('INVALID_WEBAUTHN_CREDENTIAL')
    const request = { party: relyingParty(ports.instance), challenge, verifiesUser: false }
    const made = await ports.passkeys.register(request, response)
    if ('fault' in made) return reject(made.fault)
    const holder = await ports.queries.passkeys.holderOf(made.id)
    if (holder !== undefined && holder !== account.id) return reject('INVALID_WEBAUTHN_CREDENTIAL')
    const { id: credentialId, ...rest } = made
    await ports.aggregates.account.execute(
      account.id,
      { type: 'RegisterWebAuthnCredential', credentialId, ...rest, name, ...bySession(caller), now: context.now },
      context,
    )
    await tellHolder(ports, own, context, (facts) => ({ template: 'passkey_registered', values: { ...facts, name } }))
  }
}

function requireMayAddPasskey({ emailVerified, secondFactors }: Account): void {
  if (!emailVerified) reject('MFA_EMAIL_VERIFICATION_REQUIRED')
  if (secondFactors.webAuthnCredentials.length >= webAuthnCredentials_max) reject('WEBAUTHN_CREDENTIAL_LIMIT_REACHED')
}
