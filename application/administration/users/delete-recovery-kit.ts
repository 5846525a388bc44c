import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { requireTarget } from './target-account.ts'

/**
 * Revokes the recovery kit of an account; does nothing without one. Refuses with UNKNOWN_USER, and with MISSING_ACL if
 * the acting credential lacks an ACL of the account.
 */
export function deleteRecoveryKit(ports: ActNeeds) {
  return async (caller: Caller, target: AccountId): Promise<void> => {
    await actOnAccount(ports, caller, target, { act: 'Delete recovery kit' }, async () => {
      await requireTarget(ports, target)
      await ports.aggregates.account.execute(target, { type: 'RevokeRecoveryKit' }, caller.context)
    })
  }
}
