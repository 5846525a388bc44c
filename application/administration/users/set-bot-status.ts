import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { inAclQueue } from '../../access/acl-queue.ts'
import { requireGrantable } from '../acls/require-grantable.ts'
import { changedUser, executeAndTell, requireTarget, type ChangedUserNeeds } from './target-account.ts'

type Needs = ChangedUserNeeds & Pick<Ports, 'locks'>

/**
 * Makes an account a bot or a person. It runs in the ACL queue, so that nobody grants an ACL to an account that
 * becomes a bot. Refuses with UNKNOWN_USER, with MISSING_PERMISSIONS or MISSING_ACL if the acting credential has lost
 * its ACLs meanwhile, and with ACCESS_DENIED for a new bot that holds an Admin ACL. See rules/administration#accounts.
 */
export function setBotStatus(ports: Needs) {
  return async (caller: Caller, target: AccountId, bot: boolean): Promise<AdminUserObject> => {
    await inAclQueue(ports, async () => {
      await requireTarget(ports, target)
      await requireGrantable(ports, caller, [], 'user:update:bot_status')
      return executeAndTell(ports, target, { type: 'SetBotStatus', bot }, caller.context)
    })
    return changedUser(ports, caller, target)
  }
}
