import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import type { Ports } from '../../ports.ts'
import { inAclQueue } from '../../access/acl-queue.ts'
import { changedUser, executeAndTell, requireTarget, type ChangedUserNeeds } from '../users/target-account.ts'
import { requireMayAct } from './act-on-account.ts'
import { requireGrantable } from './require-grantable.ts'

type Needs = ChangedUserNeeds & Pick<Ports, 'locks'>

/**
 * Replaces the Admin ACLs of another account; an empty list ends its access. Refuses with ACCESS_DENIED for the
 * caller's own account and for granting ACLs to a bot, UNKNOWN_USER, MISSING_ACL for an ACL that the acting credential
 * lacks, whether the account holds it or gets it, and as `requireMayAct`. See rules/administration#set-acls.
 */
export function setAcls(ports: Needs) {
  return async (caller: Caller, target: AccountId, acls: readonly string[]): Promise<AdminUserObject> => {
    const { account, context } = caller
    if (target === account.id) reject('ACCESS_DENIED')
    await inAclQueue(ports, async () => {
      const held = await requireTarget(ports, target)
      if (held.bot && acls.length > 0) reject('ACCESS_DENIED')
      await requireGrantable(ports, caller, acls, 'acl:set:user')
      await requireMayAct(ports, caller, held, 'Set user ACLs', !acls.includes('*'))
      return executeAndTell(ports, target, { type: 'SetAcls', acls }, context)
    })
    return changedUser(ports, caller, target)
  }
}
