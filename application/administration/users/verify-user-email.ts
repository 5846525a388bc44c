import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { changedUser, executeAndTell, type ChangedUserNeeds } from './target-account.ts'

/** The account, and the address that was verified; null without one. */
export interface VerifiedUser {
  readonly user: AdminUserObject
  readonly email: string | null
}

/**
 * Marks the address of an account as verified without a token, and takes the bounce marker off. An account without an
 * address counts as verified too. Refuses with UNKNOWN_USER and as `requireMayAct`.
 */
export function verifyUserEmail(ports: ActNeeds & ChangedUserNeeds) {
  return async (caller: Caller, target: AccountId): Promise<VerifiedUser> => {
    const { state } = await actOnAccount(ports, caller, target, { act: 'Verify user email' }, () =>
      executeAndTell(ports, target, { type: 'VerifyEmailAddress' }, caller.context),
    )
    // Verifying leaves the address as it was.
    const email = state.status === 'registered' ? state.email : null
    return { user: await changedUser(ports, caller, target), email }
  }
}
