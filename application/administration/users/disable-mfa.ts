import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.js'

/**
 * Turns off every second factor of an account. Its passkeys, sessions and credentials stay. Refuses with UNKNOWN_USER and as `requireMayAct`. Contract
 * part 3, Disable user MFA.
 */
export function disableMfa(ports: ActNeeds) {
  return async (caller: Caller, target: AccountId): Promise<void> => {
    await actOnAccount(ports, caller, target, { act: 'Disable user MFA' }, () =>
      ports.aggregates.account.execute(target, { type: 'DisableSecondFactors' }, caller.context),
    )
  }
}
