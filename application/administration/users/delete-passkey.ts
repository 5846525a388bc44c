import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { Refused, reject } from '../../commands/refused.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'

/**
 * Deletes a passkey of an account. With the last one, passkeys are no longer a second factor. Refuses with UNKNOWN_USER
 * for a missing account and for a passkey that the account does not have, and as `requireMayAct`.
 */
export function deletePasskey(ports: ActNeeds) {
  return async (caller: Caller, target: AccountId, credentialId: string): Promise<void> => {
    try {
      const command = { type: 'RemoveWebAuthnCredential', credentialId } as const
      await actOnAccount(ports, caller, target, { act: 'Delete user WebAuthn credential' }, () =>
        ports.aggregates.account.execute(target, command, caller.context),
      )
    } catch (error) {
      const isAbsent = error instanceof Refused && error.refusal.code === 'UNKNOWN_WEBAUTHN_CREDENTIAL'
      if (!isAbsent) throw error
      reject('UNKNOWN_USER')
    }
  }
}
