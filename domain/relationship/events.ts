import { accountId as asAccountId, type AccountId } from '../ids/ids.js'
import { snowflake } from '../ids/snowflake.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** The events between two accounts. Kept forever: members are added, never renamed or reused. */
export type RelationshipEvent =
  | { readonly type: 'FriendshipRequested'; readonly data: FriendshipRequested }
  | { readonly type: 'FriendshipFormed'; readonly data: FriendshipFormed }
  | { readonly type: 'AccountBlocked'; readonly data: AccountBlocked }
  | { readonly type: 'FriendNicknameChanged'; readonly data: FriendNicknameChanged }
  | { readonly type: 'RelationshipRemoved'; readonly data: RelationshipRemoved }

/** The acting account and its target. */
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
  /** Those of the two that had a pending request, sent or received: for them the relationship changes, for others it is new. */
  readonly requestsOf: readonly AccountId[]
}

export interface AccountBlocked extends Between {
  readonly blockedAt: Timestamp
  /** Whether the other account lost a friendship or a request from the blocker. */
  readonly removedFromOther: boolean
}

export interface FriendNicknameChanged extends Between {
  /** Personal to the acting account; null for none, and once its personal data is erased. */
  readonly nickname: string | null
  /** When the friendship began. */
  readonly since: Timestamp
}

export interface RelationshipRemoved extends Between {
  /** Those of the two whose side is now empty. */
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
