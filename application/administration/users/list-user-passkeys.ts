import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Ports } from '../../ports.ts'
import { passkeyObject, type PasskeyObject } from '../../wire-objects/identity/passkey-object.ts'
import { requireAccount } from './require-account.ts'

/** The account's passkeys, oldest first, at most ten, without key material. Refuses with UNKNOWN_USER. */
export function listUserPasskeys({ queries }: Pick<Ports, 'queries'>) {
  return async (target: AccountId): Promise<readonly PasskeyObject[]> => {
    await requireAccount({ queries }, target)
    return (await queries.passkeys.ofAccount(target)).map(passkeyObject)
  }
}
