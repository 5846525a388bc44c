import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import { clientInfo } from '../../identity/sessions/client-info.js'
import { withLastUses } from '../../identity/sessions/last-uses.js'
import type { Ports } from '../../ports.js'
import { adminSessionObject, type AdminSessionObject } from '../../wire-objects/administration/admin-session-object.js'
import { viewWithin } from '../../wire-objects/administration/admin-user-object.js'
import { boundOf } from '../acls/acl-bound.js'
import { requireAccount } from './require-account.js'

/**
 * The account's live sessions, then those that ended, each group newest first and at most 1000. Refuses with UNKNOWN_USER.
 * Contract part 3, List user sessions.
 */
export function listUserSessions({ queries, sessionActivity }: Pick<Ports, 'queries' | 'sessionActivity'>) {
  return async (caller: Caller, target: AccountId): Promise<readonly AdminSessionObject[]> => {
    await requireAccount({ queries }, target)
    const [live, ended] = await Promise.all([
      queries.sessions.ofAccount(target).then((sessions) => withLastUses({ sessionActivity }, sessions)),
      queries.sessions.endedOf(target).then((sessions) => withLastUses({ sessionActivity }, sessions)),
    ])
    const view = viewWithin(boundOf(caller))
    return [...live.map((session) => ({ ...session, endedAt: null })), ...ended].map((session) =>
      adminSessionObject({ ...session, client: clientInfo(session.userAgent) }, view),
    )
  }
}
