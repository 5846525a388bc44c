import { endedSessions } from '../../../domain/account/ended-sessions.js'
import type { AccountEvent } from '../../../domain/account/events.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.js'
import { requireTarget } from './target-account.js'

/**
 * Ends every session of an account and closes their connections. Gives how many were live. Admin keys, bot tokens and
 * OAuth2 tokens stay. Refuses with UNKNOWN_USER and as `requireMayAct`. See rules/administration#whom-one-may-act-on.
 */
export function terminateSessions(ports: ActNeeds) {
  return (caller: Caller, target: AccountId): Promise<{ readonly terminated_count: number }> =>
    actOnAccount(ports, caller, target, { act: 'Terminate user sessions' }, async () => {
      await requireTarget(ports, target)
      const { appended } = await ports.aggregates.account.execute(target, { type: 'EndAllSessions' }, caller.context)
      // Events of the account's stream.
      return { terminated_count: appended.flatMap((event) => endedSessions(event as AccountEvent)).length }
    })
}
