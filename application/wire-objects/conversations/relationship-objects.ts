import { relationshipTypes, type Relationship } from '../../ports/queries/relationship-queries.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { partialUserObject, type PartialUserObject } from '../identity/user-objects.ts'

/** A relationship as the caller sees it; without `user` in READY, which lists users separately. */
export interface RelationshipObject {
  readonly id: string
  readonly type: number
  readonly user?: PartialUserObject
  readonly since: string
  readonly nickname: string | null
  readonly share_voice_activity: boolean
  readonly friend_shares_voice_activity: boolean
}

type Sharing = Pick<AccountRecord, 'sharesVoiceActivity'>

/**
 * A relationship as `owner` sees it. Only friends see whether `other` shares its voice activity: for anybody else it is
 * true, and so it is in every dispatch, where `other` is absent.
 */
export function relationshipObject(relationship: Relationship, owner: Sharing, other?: Sharing): RelationshipObject {
  const { otherId, type, since, nickname } = relationship
  const isFriend = type === relationshipTypes.friend
  return {
    id: otherId,
    type,
    since,
    nickname,
    share_voice_activity: owner.sharesVoiceActivity,
    friend_shares_voice_activity: isFriend && other ? other.sharesVoiceActivity : true,
  }
}

/** The same with the other account's partial user. */
export function relationshipWithUserObject(relationship: Relationship, owner: Sharing, user: AccountRecord) {
  return { ...relationshipObject(relationship, owner, user), user: partialUserObject(user) }
}
