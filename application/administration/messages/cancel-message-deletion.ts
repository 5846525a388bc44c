import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { changedUser, type ChangedUserNeeds } from '../users/target-account.ts'

/**
 * Cancels the deletion of all messages that the holder of an account scheduled, and answers with the account. Also
 * works where none is scheduled. The holder is not told. Refuses with UNKNOWN_USER.
 */
export function cancelMessageDeletion(ports: ChangedUserNeeds) {
  return async (caller: Caller, target: AccountId): Promise<AdminUserObject> => {
    await ports.aggregates.account.execute(target, { type: 'CancelMessageDeletion' }, caller.context)
    return changedUser(ports, caller, target)
  }
}
