import type { AccountId } from '../../../domain/ids/ids.ts'
import { pauseAfterConflict } from '../../aggregates/pause-after-conflict.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfTry } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import { claimOrAwaitAddress, releaseAddress } from '../../identity/accounts/claim-identity.ts'
import { holdingAddress } from '../../identity/accounts/holding-address.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { changedUser, executeAndTell, requireTarget, type ChangedUserNeeds } from './target-account.ts'

/** The account, and its address before; null for none. */
export interface ReaddressedUser {
  readonly user: AdminUserObject
  readonly before: string | null
}

type Needs = ActNeeds & ChangedUserNeeds & Pick<Ports, 'addressHash'>

/** How often the change is tried while other changes of the same address are in the way. */
const attempts_max = 16

/**
 * Gives an account another address, unverified; its bounce marker stays. Another account may have the same address: the
 * one that holds the claim signs in with it, and this one takes the claim once it is free, unless `waiting_max`
 * accounts wait for it already. Mails nobody. Refuses with UNKNOWN_USER, as `requireMayAct`, and with CONFLICT if other
 * changes of the account's address do not end. See rules/administration#accounts.
 */
export function changeUserEmail(ports: Needs) {
  return async (caller: Caller, target: AccountId, email: string): Promise<ReaddressedUser> => {
    for (let attempt = 1; ; attempt += 1) {
      const context = contextOfTry(caller.context, attempt - 1)
      try {
        const before = await actOnAccount(ports, caller, target, { act: 'Change user email' }, () =>
          holdingAddress(ports, target, () => change(ports, target, email, context)),
        )
        return { user: await changedUser(ports, caller, target), before }
      } catch (error) {
        const isConflict = error instanceof Refused && error.refusal.code === 'CONFLICT'
        if (!isConflict || attempt === attempts_max) throw error
      }
      await pauseAfterConflict(attempt + 1)
    }
  }
}

/**
 * Claims the new address first, or waits for it, and releases the old one last. If the process dies in between, a process manager
 * releases the address that the account does not have. Gives the address before.
 */
async function change(ports: Needs, target: AccountId, email: string, context: CommandContext): Promise<string | null> {
  const { addressHash } = ports
  const { email: from } = await requireTarget(ports, target)
  const fromHash = from === null ? undefined : addressHash(from)
  const isSame = from === email
  if (!isSame) await claimOrAwaitAddress(ports, addressHash(email), target, context, fromHash)
  const command = { type: 'ChangeEmailAddress', email, from, verified: false, keepsBounce: true } as const
  try {
    await executeAndTell(ports, target, { ...command, now: context.now }, context)
  } catch (error) {
    // The erasure of the account began.
    if (error instanceof Refused && !isSame) await releaseAddress(ports, addressHash(email), target, context)
    throw error
  }
  if (fromHash !== undefined && !isSame) await releaseAddress(ports, fromHash, target, context)
  return from
}
