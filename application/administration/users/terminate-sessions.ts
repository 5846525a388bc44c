import { endedSessions } from '../../../domain/account/ended-sessions.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { requireTarget } from './target-account.ts'

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
