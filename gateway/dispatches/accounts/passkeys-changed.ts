import { passkeyObject } from '../../../application/wire-objects/identity/passkey-object.js'
import type { Known } from '../../events/known-event.js'
import { same, type Telling } from '../dispatch.js'

type PasskeyChange = Known<'WebAuthnCredentialRegistered' | 'WebAuthnCredentialRenamed' | 'WebAuthnCredentialRemoved'>

/**
 * The passkeys changed: WEBAUTHN_CREDENTIALS_UPDATE, all current passkeys, to the account's own sessions (reference gateway 2.3).
 */
export function passkeysChanged({ data: { accountId } }: PasskeyChange): Telling {
  return {
    accounts: [],
    passkeysOf: accountId,
    dispatches: (scene) => [
      {
        t: 'WEBAUTHN_CREDENTIALS_UPDATE',
        guildId: null,
        audience: { kind: 'sessions', sessions: scene.sessionsOf(accountId) },
        body: same(scene.passkeys.map(passkeyObject)),
      },
    ],
  }
}
