import { accountId as asAccountId, type AccountId } from '../ids/ids.js'
import { snowflake } from '../ids/snowflake.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What can happen between two accounts. Kept forever: members are added, never renamed or reused. */
export type RelationshipEvent =
  | { readonly type: 'FriendshipRequested'; readonly data: FriendshipRequested }
  | { readonly type: 'FriendshipFormed'; readonly data: FriendshipFormed }
  | { readonly type: 'AccountBlocked'; readonly data: AccountBlocked }
  | { readonly type: 'FriendNicknameChanged'; readonly data: FriendNicknameChanged }
  | { readonly type: 'RelationshipRemoved'; readonly data: RelationshipRemoved }

/** Who acted, and on whom. */
interface Between {
  readonly accountId: AccountId
  readonly otherId: AccountId
}

export interface FriendshipRequested extends Between {
  readonly requestedAt: Timestamp
  /** Whether the other sees the request. */
  readonly shown: boolean
}

export interface FriendshipFormed extends Between {
  readonly formedAt: Timestamp
  /** Those of the two who had a request of the other, or one to the other: for them it changes, for others it is new. */
  readonly requestsOf: readonly AccountId[]
}

export interface AccountBlocked extends Between {
  readonly blockedAt: Timestamp
  /** Whether the other had the blocker as a friend, or a request of theirs, which is gone with it. */
  readonly removedFromOther: boolean
}

export interface FriendNicknameChanged extends Between {
  /** Personal to who acted; null for none, and once their personal data is erased. */
  readonly nickname: string | null
  /** Since when they are friends. */
  readonly since: Timestamp
}

export interface RelationshipRemoved extends Between {
  /** Those of the two who have nothing of the other any more. */
  readonly removedFrom: readonly AccountId[]
}

export const relationshipEvents: EventCatalog<RelationshipEvent> = {
  category: 'relationship',
  events: {
    FriendshipRequested: { version: 1 },
    FriendshipFormed: { version: 1 },
    AccountBlocked: { version: 1 },
    FriendNicknameChanged: { version: 1, personal: ['nickname'] },
    RelationshipRemoved: { version: 1 },
  },
  subjectOf: (_, { accountId }) => asAccountId(snowflake(String(accountId))),
  snapshots: 'none',
}
