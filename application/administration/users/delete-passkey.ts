import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import { Refused, reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * Deletes a passkey of an account. With the last one, passkeys are no longer a second factor. Refuses with UNKNOWN_USER for a
 * missing account and for a passkey that the account does not have. Contract part 3, Delete user WebAuthn credential.
 */
export function deletePasskey({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ context }: Caller, target: AccountId, credentialId: string): Promise<void> => {
    try {
      await aggregates.account.execute(target, { type: 'RemoveWebAuthnCredential', credentialId }, context)
    } catch (error) {
      const isAbsent = error instanceof Refused && error.refusal.code === 'UNKNOWN_WEBAUTHN_CREDENTIAL'
      if (!isAbsent) throw error
      reject('UNKNOWN_USER')
    }
  }
}
