import type { WebAuthnProof } from '../../../domain/account/second-factor-commands.js'
import type { Account } from '../../../domain/account/state.js'
import type { CommandContext } from '../../commands/command-context.js'
import { Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { relyingParty } from './relying-party.js'

/** What a client sends to show that it holds a passkey. */
export interface Assertion {
  /** The WebAuthn assertion object, as it came. */
  readonly response: object
  /** The challenge that it answers, which is consumed before anything is looked at. */
  readonly challenge: string
}

/** Whether the authenticator has to have verified who holds it. */
export interface Strictness {
  readonly verifiesUser: boolean
}

export type AssertionNeeds = Pick<Ports, 'aggregates' | 'instance' | 'passkeys'>

/** Spends an assertion of one of an account's passkeys, which serves once. Says whether it did. */
export async function proveByPasskey(
  ports: AssertionNeeds,
  account: Account,
  assertion: Assertion,
  strictness: Strictness,
  context: CommandContext,
): Promise<boolean> {
  const proof = await proofByPasskey(ports, account, assertion, strictness, context)
  if (!proof) return false
  try {
    await ports.aggregates.account.execute(account.id, { type: 'ProveSecondFactor', proof }, context)
    return true
  } catch (error) {
    // Removed meanwhile, or another assertion of the same authenticator was faster.
    if (error instanceof Refused) return false
    throw error
  }
}

/** What an assertion proves: that one of the account's passkeys signed it, for this instance. Undefined for every other. */
async function proofByPasskey(
  { instance, passkeys }: AssertionNeeds,
  { id, secondFactors }: Account,
  { response, challenge }: Assertion,
  { verifiesUser }: Strictness,
  { now }: CommandContext,
): Promise<WebAuthnProof | undefined> {
  const claim = passkeys.claimOf(response)
  if (!claim || (claim.userHandle !== null && claim.userHandle !== id)) return undefined
  const held = secondFactors.webAuthnCredentials.find((credential) => credential.id === claim.credentialId)
  if (!held) return undefined
  const counter = await passkeys.verify({ party: relyingParty(instance), challenge, verifiesUser }, response, held)
  return counter === undefined ? undefined : { by: 'webauthn', credentialId: held.id, counter, now }
}
