import type { Account } from '../../../domain/account/state.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { SudoFields } from '../sudo/sudo-request.ts'
import { newChallenge, sudoChallenge } from './challenges.ts'
import { authenticationOptions, type AuthenticationOptions } from './options.ts'
import { proveByPasskey, type AssertionNeeds } from './prove-by-passkey.ts'
import { relyingParty } from './relying-party.ts'

/**
 * The options with which the caller's browser asks for a passkey, to prove sudo mode. Refuses with
 * NO_PASSKEYS_REGISTERED.
 */
export function sudoPasskeyOptions(ports: Pick<Ports, 'aggregates' | 'instance' | 'tickets'>) {
  return async (caller: Caller): Promise<AuthenticationOptions> => {
    const { id: accountId, secondFactors } = await ownAccountState(ports, caller)
    const { webAuthnCredentials: held } = secondFactors
    if (held.length === 0) reject('NO_PASSKEYS_REGISTERED')
    const challenge = await newChallenge(ports, sudoChallenge, { accountId })
    return authenticationOptions(relyingParty(ports.instance), challenge, held)
  }
}

/**
 * Uses up the assertion of a request for sudo mode, and says whether it proves the account. Its challenge is consumed
 * either way.
 */
export async function proveSudoByPasskey(
  ports: AssertionNeeds & Pick<Ports, 'tickets'>,
  account: Account,
  { webauthnResponse: response, webauthnChallenge: challenge }: SudoFields,
  context: CommandContext,
): Promise<boolean> {
  if (response === null || challenge === null) return false
  const given = await ports.tickets.take(sudoChallenge, challenge)
  if (given?.accountId !== account.id) return false
  return proveByPasskey(ports, account, { response, challenge }, { verifiesUser: false }, context)
}
