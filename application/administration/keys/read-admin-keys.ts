import type { AdminKeyId } from '../../../domain/ids/ids.ts'
import { stillSpeaks } from '../../access/still-speaks.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AdminKeyRecord } from '../../ports/queries/admin-key-queries.ts'
import type { Ports } from '../../ports.ts'
import { adminKeyObjects, type AdminKeyObject } from './admin-key-object.ts'

type Needs = Pick<Ports, 'queries' | 'sessionActivity'>

/** The valid keys that the caller's account has made: the oldest 1000. */
export function listAdminKeys(needs: Needs) {
  return async ({ account, context }: Caller): Promise<readonly AdminKeyObject[]> =>
    adminKeyObjects(needs, await needs.queries.adminKeys.ofAccount(account, context.now))
}

/** One of them. Refuses with ADMIN_API_KEY_NOT_FOUND. */
export function getAdminKey(needs: Needs) {
  return async (caller: Caller, id: AdminKeyId): Promise<AdminKeyObject> =>
    objectOf(needs, await ownKey(needs, caller, id))
}

/** A valid key that the caller's account has made. Refuses with ADMIN_API_KEY_NOT_FOUND for any other. */
export async function ownKey(
  { queries }: Pick<Ports, 'queries'>,
  { account, context }: Caller,
  id: AdminKeyId,
): Promise<AdminKeyRecord> {
  const key = await queries.adminKeys.find(id, context.now)
  return key?.accountId === account.id && stillSpeaks(account, key) ? key : reject('ADMIN_API_KEY_NOT_FOUND')
}

export async function objectOf(needs: Pick<Ports, 'sessionActivity'>, key: AdminKeyRecord): Promise<AdminKeyObject> {
  const [object] = await adminKeyObjects(needs, [key])
  return object ?? reject('ADMIN_API_KEY_NOT_FOUND')
}
