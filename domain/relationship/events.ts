import type { AccountId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

const between = { accountId: 'text', otherId: 'text' } as const

/** The events between two accounts. Kept forever: members are added, never renamed or reused. */
export const relationshipEvents = {
  FriendshipRequested: event<FriendshipRequested>({ ...between, requestedAt: 'text', shown: 'flag' }),
  FriendshipFormed: event<FriendshipFormed>({ ...between, formedAt: 'text', requestsOf: 'list' }),
  AccountBlocked: event<AccountBlocked>({ ...between, blockedAt: 'text', removedFromOther: 'flag' }),
  FriendNicknameChanged: event<FriendNicknameChanged>(
    { ...between, nickname: 'text or null', since: 'text' },
    { personal: ['nickname'] },
  ),
  RelationshipRemoved: event<RelationshipRemoved>({ ...between, removedFrom: 'list' }),
}

export type RelationshipEvent = EventOf<typeof relationshipEvents>

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
