import type { WebAuthnProof } from '../../../domain/account/second-factor-commands.ts'
import type { Account } from '../../../domain/account/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { relyingParty } from './relying-party.ts'

/** A client's proof that it holds a passkey. */
export interface Assertion {
  /** The WebAuthn assertion object as sent. */
  readonly response: object
  /** The challenge that it answers. It is consumed before anything is checked. */
  readonly challenge: string
}

/** Whether the authenticator must have verified the user. */
export interface Strictness {
  readonly verifiesUser: boolean
}

export type AssertionNeeds = Pick<Ports, 'aggregates' | 'instance' | 'passkeys'>

/** Uses up an assertion of one of an account's passkeys. Says whether it was valid. */
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
    // The passkey was removed meanwhile, or another assertion of the same authenticator was faster.
    if (error instanceof Refused) return false
    throw error
  }
}

/** The passkey that a valid assertion for this instance proves; undefined for an invalid one. */
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
