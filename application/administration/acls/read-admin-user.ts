import type { AccountId } from '../../../domain/ids/ids.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import {
  adminUserObject,
  ownViewWithin,
  viewWithin,
  type AdminUserFacts,
  type AdminUserObject,
  type AdminUserView,
} from '../../wire-objects/administration/admin-user-object.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import type { Ports } from '../../ports.js'
import { withLastUses } from '../../identity/sessions/last-uses.js'
import { boundOf } from './acl-bound.js'

export type AdminUserNeeds = Pick<Ports, 'aggregates' | 'queries' | 'sessionActivity'>

/**
 * The caller's own account, with contact details, date of birth and addresses (contract part 3, Get current Admin user).
 */
export function currentAdminUser(needs: AdminUserNeeds) {
  return async (caller: Caller): Promise<AdminUserObject> =>
    (await objectOf(needs, caller, caller.account.id, ownViewWithin(boundOf(caller)))) ?? reject('UNAUTHORIZED')
}

/** An account as the caller may see it; undefined for an unknown account (contract part 3, Admin user object). */
export function readAdminUser(
  needs: AdminUserNeeds,
  caller: Caller,
  target: AccountId,
): Promise<AdminUserObject | undefined> {
  return objectOf(needs, caller, target, viewWithin(boundOf(caller)))
}

async function objectOf(
  needs: AdminUserNeeds,
  { context }: Pick<Caller, 'context'>,
  id: AccountId,
  view: AdminUserView,
): Promise<AdminUserObject | undefined> {
  const account = await needs.queries.accounts.find(id)
  return account && adminUserObject(account, await factsOf(needs, account), view, context.now)
}

/** The account's last activity is that of its most recently used session, which may have ended. */
async function factsOf(
  { aggregates, queries, sessionActivity }: AdminUserNeeds,
  { id, profile: shown }: AccountRecord,
): Promise<AdminUserFacts> {
  const [live, ended] = await Promise.all([queries.sessions.ofAccount(id), queries.sessions.endedOf(id)])
  const used = await Promise.all([live, ended].map((sessions) => withLastUses({ sessionActivity }, sessions)))
  const [latest] = used
    .flat()
    .toSorted((one, other) => (one.lastUsedAt < other.lastUsedAt ? 1 : one.lastUsedAt > other.lastUsedAt ? -1 : 0))
  const { state } = await aggregates.account.load(id)
  return {
    images: state.status === 'registered' ? state.profile : shown,
    lastActiveAt: latest?.lastUsedAt ?? null,
    lastActiveIp: latest?.ip ?? null,
  }
}
