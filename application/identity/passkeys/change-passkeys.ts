import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'aggregates'>

/** Renames one of the caller's passkeys: UNKNOWN_WEBAUTHN_CREDENTIAL for any other. Reference identity 5.5. */
export function renamePasskey({ aggregates }: Needs) {
  return async ({ account, context }: Caller, credentialId: string, name: string): Promise<void> => {
    const command = { type: 'RenameWebAuthnCredential', credentialId, name } as const
    await aggregates.account.execute(account.id, command, context)
  }
}

/** Removes one, and with the last one the choice of passkeys as a second factor: UNKNOWN_WEBAUTHN_CREDENTIAL for any other. */
export function removePasskey({ aggregates }: Needs) {
  return async ({ account, context }: Caller, credentialId: string): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'RemoveWebAuthnCredential', credentialId }, context)
  }
}

/** Says whether signing in with the password asks for a passkey: NO_PASSKEYS_REGISTERED where there is none to ask for. */
export function choosePasskeys({ aggregates }: Needs) {
  return async ({ account, context }: Caller, chosen: boolean): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'ChoosePasskeys', chosen }, context)
  }
}
