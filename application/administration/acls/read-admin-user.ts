import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  adminUserObject,
  ownViewWithin,
  viewWithin,
  type AdminUserObject,
  type AdminUserView,
} from '../../wire-objects/administration/admin-user-object.ts'
import type { Ports } from '../../ports.ts'
import { withLastUses } from '../../identity/sessions/last-uses.ts'
import { lookUpNetworks, noLookups } from '../users/look-up-network.ts'
import { boundOf } from './acl-bound.ts'

export type AdminUserNeeds = Pick<Ports, 'networkLookups' | 'queries' | 'sessionActivity'>

/** The caller's own account, with contact details, date of birth and addresses. */
export function currentAdminUser(needs: AdminUserNeeds) {
  return async (caller: Caller): Promise<AdminUserObject> =>
    (await objectOf(needs, caller, caller.account.id, ownViewWithin(boundOf(caller)))) ?? reject('UNAUTHORIZED')
}

/** An account as the caller may see it; undefined for an unknown account (rules/administration#what-is-redacted). */
export function readAdminUser(
  needs: AdminUserNeeds,
  caller: Caller,
  target: AccountId,
): Promise<AdminUserObject | undefined> {
  return objectOf(needs, caller, target, viewWithin(boundOf(caller)))
}

/** Accounts as the caller may see them, in the order of their ids here, without unknown ones. At most 200, each named once. */
export function readAdminUsers(
  needs: AdminUserNeeds,
  caller: Caller,
  targets: readonly AccountId[],
): Promise<readonly AdminUserObject[]> {
  return objectsOf(needs, caller, targets, viewWithin(boundOf(caller)))
}

async function objectOf(
  needs: AdminUserNeeds,
  caller: Pick<Caller, 'context'>,
  id: AccountId,
  view: AdminUserView,
): Promise<AdminUserObject | undefined> {
  return (await objectsOf(needs, caller, [id], view))[0]
}

async function objectsOf(
  needs: AdminUserNeeds,
  { context }: Pick<Caller, 'context'>,
  ids: readonly AccountId[],
  view: AdminUserView,
): Promise<readonly AdminUserObject[]> {
  if (ids.length === 0) return []
  const { accounts, sessions } = needs.queries
  const [records, used, addresses] = await Promise.all([
    accounts.findManyAsStored(ids),
    lastUsesOf(needs, ids),
    sessions.lastAddressesOf(ids),
  ])
  const networks = view.ip ? await lookUpNetworks(needs, addresses.values()) : noLookups
  const known = new Map(records.map((account) => [account.id, account]))
  return ids.flatMap((id) => {
    const account = known.get(id)
    const ip = addresses.get(id) ?? null
    const active = { at: used.get(id) ?? null, ip, network: networks.of(ip) }
    return account ? [adminUserObject(account, active, view, context.now)] : []
  })
}

/** When accounts were last active: the last use of any session of theirs, which may have ended. */
async function lastUsesOf(
  { queries, sessionActivity }: AdminUserNeeds,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, Timestamp>> {
  const latest = new Map<AccountId, Timestamp>()
  const used = await withLastUses({ sessionActivity }, await queries.sessions.recentOf(ids))
  for (const { accountId, lastUsedAt } of used) {
    const known = latest.get(accountId)
    if (known === undefined || known < lastUsedAt) latest.set(accountId, lastUsedAt)
  }
  return latest
}
