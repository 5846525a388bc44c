import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

/** How many sessions one request can end. */
export const endedSessions_max = 100

/**
 * Ends those sessions of the caller's account that have these hashes, the caller's own included; ignores other hashes.
 * At most `endedSessions_max`. See rules/credentials#sessions.
 */
export function endOwnSessions({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller, tokenHashes: readonly string[]): Promise<void> => {
    if (tokenHashes.length === 0) return
    await aggregates.account.execute(account.id, { type: 'EndSessions', tokenHashes }, context)
  }
}
