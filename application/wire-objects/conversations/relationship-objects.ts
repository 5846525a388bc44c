import { z } from 'zod'
import type { Relationship } from '../../ports/queries/relationship-queries.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { partialUserObject, partialUserSchema } from '../identity/user-objects.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** A relationship as one of the two accounts sees it. */
export const relationshipSchema = wireObject('Relationship', {
  id: snowflakeOutput,
  type: z.int().min(1).max(4).describe('1 friend, 2 blocked, 3 incoming request, 4 outgoing request.'),
  user: partialUserSchema,
  since: timestampOutput,
  nickname: z.string().nullable().describe('What the caller calls the friend; null or empty for nothing.'),
  share_voice_activity: z
    .boolean()
    .describe('Whether friends see in which voice channel the account is. Can be changed once in 24 hours.'),
  friend_shares_voice_activity: z.boolean().describe('Whether the friend shows in which voice channel they are.'),
})

export type RelationshipObject = ObjectOf<typeof relationshipSchema>

/** The same in READY, which lists users separately. */
export const relationshipInReadySchema = relationshipSchema.omit({ user: true })

export type RelationshipInReadyObject = ObjectOf<typeof relationshipInReadySchema>

type Sharing = Pick<AccountRecord, 'sharesVoiceActivity'>

/**
 * A relationship as `owner` sees it. Only friends see whether `other` shares its voice activity: for anybody else it is
 * true, and so it is in every dispatch, where `other` is absent.
 */
export function relationshipObject(
  relationship: Relationship,
  owner: Sharing,
  other?: Sharing,
): RelationshipInReadyObject {
  const { otherId, type, since, nickname } = relationship
  const isFriend = type === relationshipTypes.friend
  return objectOf(relationshipInReadySchema, {
    id: otherId,
    type,
    since,
    nickname,
    share_voice_activity: owner.sharesVoiceActivity,
    friend_shares_voice_activity: isFriend && other ? other.sharesVoiceActivity : true,
  })
}

/** The same with the other account's partial user. */
export function relationshipWithUserObject(
  relationship: Relationship,
  owner: Sharing,
  user: AccountRecord,
): RelationshipObject {
  return objectOf(relationshipSchema, {
    ...relationshipObject(relationship, owner, user),
    user: partialUserObject(user),
  })
}
