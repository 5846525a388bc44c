import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { clientInfo } from '../../identity/sessions/client-info.ts'
import { everySession } from '../../identity/sessions/every-session.ts'
import type { Ports } from '../../ports.ts'
import { adminSessionObject, type AdminSessionObject } from '../../wire-objects/administration/admin-session-object.ts'
import { viewWithin } from '../../wire-objects/administration/admin-user-object.ts'
import { boundOf } from '../acls/acl-bound.ts'
import { lookUpNetworks, noLookups } from './look-up-network.ts'
import { requireAccount } from './require-account.ts'

type Needs = Pick<Ports, 'networkLookups' | 'queries' | 'sessionActivity'>

/**
 * The account's live sessions, then those that ended, each group newest first and at most 1000. Refuses with
 * UNKNOWN_USER, and with SERVICE_UNAVAILABLE if no address could be located because each look-up failed. See
 * rules/administration#look-ups.
 */
export function listUserSessions({ networkLookups, queries, sessionActivity }: Needs) {
  return async (caller: Caller, target: AccountId): Promise<readonly AdminSessionObject[]> => {
    await requireAccount({ queries }, target)
    const view = viewWithin(boundOf(caller))
    const sessions = await everySession({ queries, sessionActivity }, target)
    const ips = sessions.map(({ ip }) => ip)
    const networks = view.ip ? await lookUpNetworks({ networkLookups }, ips) : noLookups
    if (networks.allFailed) reject('SERVICE_UNAVAILABLE')
    return sessions.map((session) => {
      const client = clientInfo(session.userAgent)
      return adminSessionObject({ ...session, network: networks.of(session.ip), client }, view)
    })
  }
}
