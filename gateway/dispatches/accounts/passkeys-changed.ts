import { passkeyObject } from '../../../application/wire-objects/identity/passkey-object.ts'
import type { Known } from '../../visibility/known-event.ts'
import { same } from '../dispatch.ts'
import { preparing, type Telling } from '../telling.ts'

type PasskeyChange = Known<'WebAuthnCredentialRegistered' | 'WebAuthnCredentialRenamed' | 'WebAuthnCredentialRemoved'>

/** The passkeys changed: WEBAUTHN_CREDENTIALS_UPDATE, all current passkeys, to the account's own sessions. */
export function passkeysChanged({ data: { accountId } }: PasskeyChange): Telling {
  return preparing(['WEBAUTHN_CREDENTIALS_UPDATE'], {
    prepare: async ({ lookups }) => {
      const found = await lookups.ask(({ passkeys }) => passkeys.ofAccount(accountId))
      return ({ sessionsOf }) => [
        {
          t: 'WEBAUTHN_CREDENTIALS_UPDATE',
          guildId: null,
          audience: { kind: 'sessions', sessions: sessionsOf(accountId) },
          body: same(found.map(passkeyObject)),
        },
      ]
    },
  })
}
