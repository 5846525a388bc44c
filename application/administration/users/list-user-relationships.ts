import type { AccountId } from '../../../domain/ids/ids.ts'
import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import { relationshipTypes, type RelationshipType } from '../../../domain/relationship/relationship-types.ts'
import type { Ports } from '../../ports.ts'
import {
  adminRelationshipObject,
  type AdminRelationshipObject,
} from '../../wire-objects/administration/admin-relationship-object.ts'
import { requireAccount } from './require-account.ts'

/** An account's relationships by category, oldest first in each. */
export interface RelationshipsByCategory {
  readonly friends: readonly AdminRelationshipObject[]
  readonly incoming_requests: readonly AdminRelationshipObject[]
  readonly outgoing_requests: readonly AdminRelationshipObject[]
  readonly blocked: readonly AdminRelationshipObject[]
}

/** All relationships of the account. Refuses with UNKNOWN_USER. */
export function listUserRelationships({ queries }: Pick<Ports, 'queries'>) {
  return async (target: AccountId): Promise<RelationshipsByCategory> => {
    await requireAccount({ queries }, target)
    const relationships = await queries.relationships.ofAccount(target)
    const others = await usersOf(
      { queries },
      relationships.map(({ otherId }) => otherId),
    )
    const ofType = (wanted: RelationshipType) =>
      relationships
        .filter(({ type }) => type === wanted)
        .map((relationship) => adminRelationshipObject(relationship, others.get(relationship.otherId)))
    return {
      friends: ofType(relationshipTypes.friend),
      incoming_requests: ofType(relationshipTypes.incomingRequest),
      outgoing_requests: ofType(relationshipTypes.outgoingRequest),
      blocked: ofType(relationshipTypes.blocked),
    }
  }
}
