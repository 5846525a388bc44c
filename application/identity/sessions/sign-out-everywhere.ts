import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'

/**
 * Ends every session of the caller's account, including the caller's own, and with them its handoffs and all delegations:
 * authorisations of applications with their tokens and codes, the tokens of the bots of its applications, which get new ones by
 * Reset bot token, Admin keys, and links to archives. Decision 53.
 */
export function signOutEverywhere({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller): Promise<void> => {
    await aggregates.account.execute(account.id, { type: 'SignOutEverywhere', now: context.now }, context)
  }
}
