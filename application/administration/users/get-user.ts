import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.js'
import { readAdminUser, type AdminUserNeeds } from '../acls/read-admin-user.js'

/** The account as the caller may see it, in a list; an empty list for an unknown account. */
export function getUser(needs: AdminUserNeeds) {
  return async (caller: Caller, target: AccountId): Promise<readonly AdminUserObject[]> => {
    const user = await readAdminUser(needs, caller, target)
    return user ? [user] : []
  }
}
