import { isBorn } from '../../../domain/account/names.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { changedUser, executeAndTell, requireTarget, type ChangedUserNeeds } from './target-account.ts'

/** The account, and its date of birth before; null if it had none. */
export interface UserOfAnotherAge {
  readonly user: AdminUserObject
  readonly before: string | null
}

/**
 * Changes the date of birth of an account (YYYY-MM-DD): what its age opens to it follows at once. Refuses with
 * UNKNOWN_USER, and with INVALID_DATE_OF_BIRTH_FORMAT on `date_of_birth` for a day that has not come.
 */
export function changeDateOfBirth(ports: ChangedUserNeeds) {
  return async (caller: Caller, target: AccountId, dateOfBirth: string): Promise<UserOfAnotherAge> => {
    if (!isBorn(dateOfBirth, caller.context.now))
      reject('INVALID_FORM_BODY', field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT'))
    const { dateOfBirth: before } = await requireTarget(ports, target)
    await executeAndTell(ports, target, { type: 'ChangeDateOfBirth', dateOfBirth }, caller.context)
    return { user: await changedUser(ports, caller, target), before }
  }
}
