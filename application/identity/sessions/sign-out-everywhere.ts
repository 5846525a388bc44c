import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/**
 * Ends every session of the caller's account, including the caller's own, and with them its handoffs and all delegations:
 * authorisations of applications with their tokens and codes, the tokens of the bots of its applications, which get new ones by
 * Reset bot token, Admin keys, and links to archives. Refuses with UNAUTHORIZED, and ends nothing, if the caller's own session has
 * ended since the request began. Decision 159.
 */
export function signOutEverywhere({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, credential, context }: Caller): Promise<void> => {
    if (credential.kind !== 'session') return reject('UNAUTHORIZED')
    const command = { type: 'SignOutEverywhere', bySession: credential.tokenHash, now: context.now } as const
    await aggregates.account.execute(account.id, command, context)
  }
}
