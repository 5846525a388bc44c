import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'

/** How many sessions one request can end (reference identity 4.7). */
export const endedSessions_max = 100

/**
 * Ends those sessions of the caller's account that have these hashes, the caller's own included; ignores other hashes. At most
 * `endedSessions_max`. Reference identity 4.7, row 19.
 */
export function endOwnSessions({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller, tokenHashes: readonly string[]): Promise<void> => {
    if (tokenHashes.length === 0) return
    await aggregates.account.execute(account.id, { type: 'EndSessions', tokenHashes }, context)
  }
}
