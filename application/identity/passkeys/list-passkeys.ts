import type { Caller } from '../../caller.ts'
import { passkeyObject, type PasskeyObject } from '../../wire-objects/identity/passkey-object.ts'
import type { Ports } from '../../ports.ts'

/** The caller's passkeys, oldest first. */
export function listPasskeys({ queries }: Pick<Ports, 'queries'>) {
  return async ({ account }: Pick<Caller, 'account'>): Promise<readonly PasskeyObject[]> =>
    (await queries.passkeys.ofAccount(account.id)).map(passkeyObject)
}
