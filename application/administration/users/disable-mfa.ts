import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'

/**
 * Turns off every second factor of an account. Its passkeys, sessions and credentials stay. Refuses with UNKNOWN_USER. Contract
 * part 3, Disable user MFA.
 */
export function disableMfa({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ context }: Caller, target: AccountId): Promise<void> => {
    await aggregates.account.execute(target, { type: 'DisableSecondFactors' }, context)
  }
}
