import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import {
  relationshipTypes,
  type Relationship,
  type RelationshipType,
} from '../../ports/queries/relationship-queries.ts'
import { adminResolvedUser } from './admin-resolved-user.ts'

/** The kinds of relationships, as administrators name them. */
export const relationshipCategories = ['friend', 'incoming_request', 'outgoing_request', 'blocked'] as const
export type RelationshipCategory = (typeof relationshipCategories)[number]

/** The category of a relationship as the read model has it. */
export const categoryOf: Readonly<Record<RelationshipType, RelationshipCategory>> = {
  [relationshipTypes.friend]: 'friend',
  [relationshipTypes.incomingRequest]: 'incoming_request',
  [relationshipTypes.outgoingRequest]: 'outgoing_request',
  [relationshipTypes.blocked]: 'blocked',
}

export type AdminRelationshipObject = ReturnType<typeof adminRelationshipObject>

/** A relationship as administrators see it. `other`: undefined if that account is gone. */
export function adminRelationshipObject(relationship: Relationship, other: AccountRecord | undefined) {
  return {
    target_user_id: relationship.otherId,
    category: categoryOf[relationship.type],
    nickname: relationship.nickname,
    since: relationship.since,
    target: other ? adminResolvedUser(other) : null,
  }
}
