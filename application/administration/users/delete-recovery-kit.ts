import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import { inAclLine, requireGrantable, type AclNeeds } from '../acls/acl-line.js'
import { requireTarget } from './target-account.js'

/**
 * Revokes the recovery kit of an account; does nothing without one. Refuses with UNKNOWN_USER, and with MISSING_ACL if the acting
 * credential lacks an ACL of the account. Contract part 3, Delete recovery kit.
 */
export function deleteRecoveryKit(ports: AclNeeds) {
  return async (caller: Caller, target: AccountId): Promise<void> => {
    await inAclLine(ports, async () => {
      const { acls } = await requireTarget(ports, target)
      await requireGrantable(ports, caller, acls, 'user:delete:recovery_kit')
      await ports.aggregates.account.execute(target, { type: 'RevokeRecoveryKit' }, caller.context)
    })
  }
}
