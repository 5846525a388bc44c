import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { readAdminUser, type AdminUserNeeds } from '../acls/read-admin-user.ts'

/** The account as the caller may see it, in a list; an empty list for an unknown account. */
export function getUser(needs: AdminUserNeeds) {
  return async (caller: Caller, target: AccountId): Promise<readonly AdminUserObject[]> => {
    const user = await readAdminUser(needs, caller, target)
    return user ? [user] : []
  }
}
