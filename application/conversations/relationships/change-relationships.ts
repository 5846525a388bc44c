import { systemAccountId } from '../../../domain/account/system-account.ts'
import { pairId, type AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { acceptRequest, type BefriendingNeeds } from './befriend.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import { relationshipView, requireOther, usersOf } from './read-relationships.ts'
import { countedAmongRelationships } from './within-relationships.ts'
import type { RelationshipObject } from '../../wire-objects/conversations/relationship-objects.ts'

/** Accepts another account's request. Refuses as `acceptRequest` does. */
export function acceptFriendRequest(ports: BefriendingNeeds) {
  return async (caller: Caller, otherId: AccountId): Promise<RelationshipObject> =>
    acceptRequest(ports, caller, await requireOther(ports, otherId))
}

/**
 * Blocks an account, whatever relationship there was; does nothing if it is blocked already. No limit prevents
 * blocking, but blocks count towards it. Refuses with UNKNOWN_USER, and with CANNOT_BLOCK_SYSTEM_USER for an account
 * that speaks for the service. See rules/messages#block.
 */
export function blockAccount(ports: Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'reservations'>) {
  return async (caller: Caller, otherId: AccountId): Promise<RelationshipObject> => {
    const { account, context } = caller
    if (otherId === systemAccountId) reject('CANNOT_BLOCK_SYSTEM_USER')
    const other = await requireOther(ports, otherId)
    if (other.system) reject('CANNOT_BLOCK_SYSTEM_USER')
    const block = { type: 'Block', accountId: account.id, otherId, now: context.now } as const
    const pair = pairId(account.id, otherId)
    const state = await countedAmongRelationships(ports, account.id, async () => {
      const blocked = await ports.aggregates.relationship.execute(pair, block, context)
      await ports.readModels.reached(context.written)
      return blocked.state
    })
    return relationshipView(state, caller, other)
  }
}

/** Gives a friend a nickname that only the caller sees; null removes it. Refuses with UNKNOWN_USER for anybody but a friend. */
export function nameFriend({ aggregates, queries, readModels }: Pick<Ports, 'aggregates' | 'queries' | 'readModels'>) {
  return async (caller: Caller, otherId: AccountId, nickname: string | null): Promise<RelationshipObject> => {
    const { account, context } = caller
    const other = await requireOther({ queries }, otherId)
    const name = { type: 'SetNickname', accountId: account.id, otherId, nickname } as const
    const { state } = await aggregates.relationship.execute(pairId(account.id, otherId), name, context)
    await readModels.reached(context.written)
    return relationshipView(state, caller, other)
  }
}

/** Ends the caller's relationship to an account: friendship, request or block. Refuses with UNKNOWN_USER if there is none. */
export function removeRelationship({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async ({ account, context }: Caller, otherId: AccountId): Promise<void> => {
    const remove = { type: 'RemoveRelationship', accountId: account.id, otherId, what: 'own' } as const
    await aggregates.relationship.execute(pairId(account.id, otherId), remove, context)
  }
}

/** Which requests to ignore: all, or those of accounts registered at most this many seconds ago. */
export type IgnoredRequests =
  | { readonly filter: 'all' }
  | { readonly filter: 'new_accounts'; readonly accountAge_s_max: number }

/** How many are ignored in parallel. */
const ignoredAtOnce = 20

/** Ignores received requests, and gives their number. The senders are not notified. */
export function ignoreRequests({ aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>) {
  return async ({ account, context }: Caller, wish: IgnoredRequests): Promise<{ readonly ignored_count: number }> => {
    const senders = await sendersOf({ queries }, account.id, wish, context.now)
    let ignored_count = 0
    for (let from = 0; from < senders.length; from += ignoredAtOnce) {
      const ignoring = senders.slice(from, from + ignoredAtOnce).map(async (otherId) => {
        const remove = { type: 'RemoveRelationship', accountId: account.id, otherId, what: 'request' } as const
        return aggregates.relationship.execute(pairId(account.id, otherId), remove, context)
      })
      for (const { changed, repeated } of await Promise.all(ignoring)) ignored_count += changed || repeated ? 1 : 0
    }
    return { ignored_count }
  }
}

async function sendersOf(
  { queries }: Pick<Ports, 'queries'>,
  account: AccountId,
  wish: IgnoredRequests,
  now: Timestamp,
): Promise<readonly AccountId[]> {
  const requests = (await queries.relationships.ofAccount(account)).filter(
    ({ type }) => type === relationshipTypes.incomingRequest,
  )
  const ids = requests.map(({ otherId }) => otherId)
  if (wish.filter === 'all') return ids
  const records = await usersOf({ queries }, ids)
  const youngest = secondsAfter(now, -wish.accountAge_s_max)
  return ids.filter((id) => (records.get(id)?.registeredAt ?? youngest) >= youngest)
}
