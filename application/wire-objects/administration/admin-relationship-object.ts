import { z } from 'zod'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Relationship } from '../../ports/queries/relationship-queries.ts'
import { relationshipTypes, type RelationshipType } from '../../../domain/relationship/relationship-types.ts'
import { adminResolvedUser, adminResolvedUserSchema } from './admin-resolved-user.ts'
import { snowflakeOutput, nullableText, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** The kinds of relationships, as administrators name them. */
export const relationshipCategories = ['friend', 'incoming_request', 'outgoing_request', 'blocked'] as const

export const adminRelationshipSchema = wireObject('AdminRelationship', {
  target_user_id: snowflakeOutput,
  category: z.enum(relationshipCategories),
  nickname: nullableText.describe('What the caller calls the friend; null or empty for nothing.'),
  since: timestampOutput.nullable(),
  target: adminResolvedUserSchema.nullable(),
})

export type AdminRelationshipObject = ObjectOf<typeof adminRelationshipSchema>

export type RelationshipCategory = (typeof relationshipCategories)[number]

/** The category of a relationship as the read model has it. */
export const categoryOf: Readonly<Record<RelationshipType, RelationshipCategory>> = {
  [relationshipTypes.friend]: 'friend',
  [relationshipTypes.incomingRequest]: 'incoming_request',
  [relationshipTypes.outgoingRequest]: 'outgoing_request',
  [relationshipTypes.blocked]: 'blocked',
}

/** A relationship as administrators see it. `other`: undefined if that account is gone. */
export function adminRelationshipObject(
  relationship: Relationship,
  other: AccountRecord | undefined,
): AdminRelationshipObject {
  return objectOf(adminRelationshipSchema, {
    target_user_id: relationship.otherId,
    category: categoryOf[relationship.type],
    nickname: relationship.nickname,
    since: relationship.since,
    target: other ? adminResolvedUser(other) : null,
  })
}
