import type { Caller } from '../../caller.js'
import { passkeyObject, type PasskeyObject } from '../../wire-objects/identity/passkey-object.js'
import type { Ports } from '../../ports.js'

/** The caller's passkeys, oldest first. */
export function listPasskeys({ queries }: Pick<Ports, 'queries'>) {
  return async ({ account }: Pick<Caller, 'account'>): Promise<readonly PasskeyObject[]> =>
    (await queries.passkeys.ofAccount(account.id)).map(passkeyObject)
}
