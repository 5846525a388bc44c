import type { AccountId } from '../../../domain/ids/ids.js'
import type { StandingCommand } from '../../../domain/account/standing-commands.js'
import type { Caller } from '../../caller.js'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.js'
import { changedUser, type ChangedUserNeeds } from './target-account.js'

/** Facts of an account that one command changes, whatever the account is. */
type FactCommand = Extract<
  StandingCommand,
  { readonly type: 'UpdateFlags' | 'UpdatePremiumFlags' | 'SetTraits' | 'SetSystemStatus' }
>

/**
 * Changes a fact of an account, and answers with the account as the caller may see it. Refuses with UNKNOWN_USER, and as the
 * command. Contract part 3: Update user flags, Update user premium flags, Set user traits, Set user system status.
 */
export function changeUserFacts(ports: ChangedUserNeeds) {
  return async (caller: Caller, target: AccountId, command: FactCommand): Promise<AdminUserObject> => {
    await ports.aggregates.account.execute(target, command, caller.context)
    return changedUser(ports, caller, target)
  }
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
