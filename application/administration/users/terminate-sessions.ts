import { endedSessions } from '../../../domain/account/ended-sessions.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import type { Ports } from '../../ports.js'
import { requireTarget } from './target-account.js'

/**
 * Ends every session of an account and closes their connections. Gives how many were live. Admin keys, bot tokens and OAuth2
 * tokens stay. Refuses with UNKNOWN_USER. Contract part 3, Terminate user sessions.
 */
export function terminateSessions({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ context }: Caller, target: AccountId): Promise<{ readonly terminated_count: number }> => {
    await requireTarget({ aggregates }, target)
    const { appended } = await aggregates.account.execute(target, { type: 'EndAllSessions' }, context)
    // Events of the account's stream.
    return { terminated_count: appended.flatMap((event) => endedSessions(event as AccountEvent)).length }
  }
}
