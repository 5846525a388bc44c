import type { AccountId } from '../../../domain/ids/ids.ts'
import { changedFlags, hasClosingFlag } from '../../../domain/account/flags.ts'
import type { StandingCommand, UpdateFlags } from '../../../domain/account/standing-commands.ts'
import type { UpdatePremiumFlags } from '../../../domain/premium/premium-commands.ts'
import type { Caller } from '../../caller.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { actOnAccount, type ActNeeds, type Closes } from '../acls/act-on-account.ts'
import { changedUser, executeAndTell, type ChangedUserNeeds } from './target-account.ts'

/** Facts of an account that one command changes, whatever the account is. */
type FactCommand = UpdatePremiumFlags | Extract<StandingCommand, { readonly type: 'SetTraits' | 'SetSystemStatus' }>

/**
 * Changes a fact of an account, and answers with the account as the caller may see it. Refuses with UNKNOWN_USER, and
 * as the command. The facts are premium flags, traits and the mark of a system account.
 */
export function changeUserFacts(ports: ChangedUserNeeds) {
  return async (caller: Caller, target: AccountId, command: FactCommand): Promise<AdminUserObject> => {
    await executeAndTell(ports, target, command, caller.context)
    return changedUser(ports, caller, target)
  }
}

/**
 * Adds and removes flags of an account, and answers with the account as the caller may see it. Refuses with
 * UNKNOWN_USER and as `requireMayAct`. See rules/administration#whom-one-may-act-on.
 */
export function updateUserFlags(ports: ActNeeds & ChangedUserNeeds) {
  return async (caller: Caller, target: AccountId, change: FlagChange): Promise<AdminUserObject> => {
    const act = { act: 'Update user flags', closes: closesBy(change) } as const
    await actOnAccount(ports, caller, target, act, (guard) =>
      executeAndTell(ports, target, { type: 'UpdateFlags', ...change, ...guard }, caller.context),
    )
    return changedUser(ports, caller, target)
  }
}

export type FlagChange = Pick<UpdateFlags, 'add' | 'remove'>

/** Whether the account has a flag afterwards that closes it. */
export function closesBy({ add, remove }: FlagChange): Closes {
  return ({ flags }) => hasClosingFlag({ flags: changedFlags(flags, add, remove) })
}

/** What the admin audit log says of flags that were added and removed. Empty lists are left out. */
export function flagsEntry({
  add,
  remove,
}: {
  readonly add: readonly (string | number)[]
  readonly remove: readonly (string | number)[]
}): Readonly<Record<string, string>> {
  return {
    ...(add.length > 0 && { add_flags: add.join(',') }),
    ...(remove.length > 0 && { remove_flags: remove.join(',') }),
  }
}
