import { premiumFlags } from '../../../domain/premium/premium-flags.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { renewedPremiumState, type PremiumStateNeeds, type PremiumStateObject } from './premium-state.ts'

/** Turns the caller's perks off or on again. Gives the premium state. Refuses with UNKNOWN_USER. */
export function disablePerks(ports: PremiumStateNeeds) {
  return async (caller: Caller, disabled: boolean): Promise<PremiumStateObject> => {
    const [bit, none] = [[premiumFlags.PERKS_DISABLED], []] as const
    const [add, remove] = disabled ? [bit, none] : [none, bit]
    const command = { type: 'UpdatePremiumFlags', add, remove } as const
    await ports.aggregates.account.execute(caller.account.id, command, caller.context)
    return renewedPremiumState(ports, caller)
  }
}

/** Ends the caller's grace at once; nothing happens without one. Refuses with UNKNOWN_USER. */
export function endPremiumGrace({ aggregates, readModels }: Pick<Ports, 'aggregates' | 'readModels'>) {
  return async ({ account, context }: Caller): Promise<{ readonly success: true }> => {
    await aggregates.account.execute(account.id, { type: 'EndPremiumGrace', now: context.now }, context)
    await readModels.reached(context.written)
    return { success: true }
  }
}
