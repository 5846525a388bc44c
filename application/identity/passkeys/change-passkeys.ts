import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates'>

/** Renames one of the caller's passkeys. Refuses with UNKNOWN_WEBAUTHN_CREDENTIAL for any other. */
export function renamePasskey({ aggregates }: Needs) {
  return async ({ account, context }: Caller, credentialId: string, name: string): Promise<void> => {
    const command = { type: 'RenameWebAuthnCredential', credentialId, name } as const
    await aggregates.account.execute(account.id, command, context)
  }
}

/**
 * Removes one of the caller's passkeys; removing the last one also turns off passkeys as a second factor. Refuses with
 * UNKNOWN_WEBAUTHN_CREDENTIAL for any other.
 */
export function removePasskey({ aggregates }: Needs) {
  return async (caller: Caller, credentialId: string): Promise<void> => {
    const command = { type: 'RemoveWebAuthnCredential', credentialId, ...bySession(caller) } as const
    await aggregates.account.execute(caller.account.id, command, caller.context)
  }
}

/** Sets whether signing in with the password also asks for a passkey. Refuses with NO_PASSKEYS_REGISTERED if there is none. */
export function choosePasskeys({ aggregates }: Needs) {
  return async (caller: Caller, chosen: boolean): Promise<void> => {
    const command = { type: 'ChoosePasskeys', chosen, ...bySession(caller) } as const
    await aggregates.account.execute(caller.account.id, command, caller.context)
  }
}
