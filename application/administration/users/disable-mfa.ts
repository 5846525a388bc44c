import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { executeAndTell, type ExecutingNeeds } from './target-account.ts'

/**
 * Turns off every second factor of an account. Its passkeys, sessions and credentials stay. Refuses with UNKNOWN_USER
 * and as `requireMayAct`. See rules/administration#accounts.
 */
export function disableMfa(ports: ActNeeds & ExecutingNeeds) {
  return async (caller: Caller, target: AccountId): Promise<void> => {
    await actOnAccount(ports, caller, target, { act: 'Disable user MFA' }, () =>
      executeAndTell(ports, target, { type: 'DisableSecondFactors' }, caller.context),
    )
  }
}
