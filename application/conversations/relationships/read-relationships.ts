import type { AccountId } from '../../../domain/ids/ids.ts'
import { sideOf, type RelationshipState, type Side } from '../../../domain/relationship/state.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  relationshipWithUserObject,
  type RelationshipObject,
} from '../../wire-objects/conversations/relationship-objects.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { relationshipTypes, type RelationshipType } from '../../../domain/relationship/relationship-types.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'queries'>

/** AccountQueries takes this many accounts in one query. */
const accountsPerQuery_max = 1000

/** The caller's relationships, oldest first. */
export function listRelationships({ queries }: Needs) {
  return async ({ account }: Caller): Promise<readonly RelationshipObject[]> => {
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

/** The records of those accounts that exist; any number of ids. */
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

/** The HTTP type of a side. */
const types: Readonly<Record<Side['kind'], RelationshipType>> = {
  friend: relationshipTypes.friend,
  blocked: relationshipTypes.blocked,
  incoming: relationshipTypes.incomingRequest,
  outgoing: relationshipTypes.outgoingRequest,
}

/**
 * The caller's relationship to another account, from the stream of the pair: if somebody else was faster, the read models may not
 * hold it yet. Refuses with UNKNOWN_USER if there is none.
 */
export function relationshipView(
  state: RelationshipState,
  { account }: Caller,
  other: AccountRecord,
): RelationshipObject {
  const own = sideOf(state, account.id) ?? reject('UNKNOWN_USER')
  const { kind, since, nickname } = own
  const relationship = { ownerId: account.id, otherId: other.id, type: types[kind], since, nickname }
  return relationshipWithUserObject(relationship, account, other)
}

/** The account that a caller names. Refuses with 404 UNKNOWN_USER for one that does not exist or is erased. */
export async function requireOther({ queries }: Needs, id: AccountId): Promise<AccountRecord> {
  const other = await queries.accounts.find(id)
  return other && !other.isErased ? other : reject('UNKNOWN_USER')
}
