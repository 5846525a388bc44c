import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { lifetimeNumberFor } from '../gifts/settle-gift.js'
import { contextOfPart } from '../../commands/following-context.js'
import { recomputePremium, type PremiumNeeds } from './recompute-premium.js'

/** What an operator gives: a lifetime, or nothing. */
export type PremiumWish = 'lifetime' | 'none'

/**
 * Gives lifetime premium, or takes all premium away. A subscription that was claimed under lifetime, and that its holder pays for,
 * counts from then on. Gives the number of a lifetime holder. Refuses with UNKNOWN_USER.
 */
export function setPremium(ports: PremiumNeeds) {
  return async (accountId: AccountId, wish: PremiumWish, context: CommandContext): Promise<number | null> => {
    const { account } = ports.aggregates
    const { now } = context
    if (wish === 'none') {
      const { state: before } = await account.load(accountId)
      const hadLifetime = before.status === 'registered' && before.premium.type === 2
      await account.execute(accountId, { type: 'RemovePremium', now }, context)
      if (hadLifetime) await recomputePremium(ports, accountId, contextOfPart(context, 'premium'))
      return null
    }
    const lifetimeNumber = await lifetimeNumberFor(ports, accountId, context)
    const { state } = await account.execute(accountId, { type: 'SetLifetimePremium', lifetimeNumber, now }, context)
    return state.status === 'registered' ? state.premium.lifetimeNumber : null
  }
}
