import type { AccountId } from '../../../domain/ids/ids.js'
import { sideOf, type RelationshipState, type Side } from '../../../domain/relationship/state.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import { relationshipWithUserObject } from '../../wire-objects/conversations/relationship-objects.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import { relationshipTypes, type RelationshipType } from '../../ports/queries/relationship-queries.js'
import type { Ports } from '../../ports.js'

export type RelationshipView = ReturnType<typeof relationshipWithUserObject>

type Needs = Pick<Ports, 'queries'>

/** What AccountQueries takes in one question. */
const accountsPerQuery_max = 1000

/** All that the caller has of others, the oldest first. Reference stores 5.1. */
export function listRelationships({ queries }: Needs) {
  return async ({ account }: Caller): Promise<readonly RelationshipView[]> => {
    const relationships = await queries.relationships.ofAccount(account.id)
    const users = await usersOf(
      { queries },
      relationships.map(({ otherId }) => otherId),
    )
    return relationships.flatMap((relationship) => {
      const user = users.get(relationship.otherId)
      return user ? [relationshipWithUserObject(relationship, account, user)] : []
    })
  }
}

/** The records of any number of accounts, of those that exist. */
export async function usersOf(
  { queries }: Needs,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, AccountRecord>> {
  const found = new Map<AccountId, AccountRecord>()
  for (let from = 0; from < ids.length; from += accountsPerQuery_max) {
    const records = await queries.accounts.findMany(ids.slice(from, from + accountsPerQuery_max))
    for (const record of records) found.set(record.id, record)
  }
  return found
}

/** What a side is called over HTTP. */
const types: Readonly<Record<Side['kind'], RelationshipType>> = {
  friend: relationshipTypes.friend,
  blocked: relationshipTypes.blocked,
  incoming: relationshipTypes.incomingRequest,
  outgoing: relationshipTypes.outgoingRequest,
}

/**
 * What the caller has of another by the stream of the two: where somebody else was faster, the read models may not hold it yet.
 * Refuses with UNKNOWN_USER where that is nothing.
 */
export function relationshipView(
  state: RelationshipState,
  { account }: Caller,
  other: AccountRecord,
): RelationshipView {
  const own = sideOf(state, account.id) ?? reject('UNKNOWN_USER')
  const { kind, since, nickname } = own
  const relationship = { ownerId: account.id, otherId: other.id, type: types[kind], since, nickname }
  return relationshipWithUserObject(relationship, account, other)
}

/** The account that a caller means; 404 UNKNOWN_USER for one that does not exist, or whose holder is gone. */
export async function requireOther({ queries }: Needs, id: AccountId): Promise<AccountRecord> {
  const other = await queries.accounts.find(id)
  return other && !other.isErased ? other : reject('UNKNOWN_USER')
}
