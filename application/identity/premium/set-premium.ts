import type { AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { lifetimeNumberFor } from '../gifts/settle-gift.ts'
import type { Ports } from '../../ports.ts'

/** What an operator gives: a lifetime, or nothing. */
export type PremiumWish = 'lifetime' | 'none'

/** Gives lifetime premium, or takes all premium away. Gives the number of a lifetime holder. Refuses with UNKNOWN_USER. */
export function setPremium(ports: Pick<Ports, 'aggregates'>) {
  return async (accountId: AccountId, wish: PremiumWish, context: CommandContext): Promise<number | null> => {
    const { account } = ports.aggregates
    const { now } = context
    if (wish === 'none') {
      await account.execute(accountId, { type: 'RemovePremium', now }, context)
      return null
    }
    const lifetimeNumber = await lifetimeNumberFor(ports, accountId, context)
    const { state } = await account.execute(accountId, { type: 'SetLifetimePremium', lifetimeNumber, now }, context)
    return state.status === 'registered' ? state.premium.lifetimeNumber : null
  }
}
