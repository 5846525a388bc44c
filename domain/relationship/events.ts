import type { AccountId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'

const between = { accountId: 'text', otherId: 'text' } as const

/** What can happen between two accounts. Kept forever: members are added, never renamed or reused. */
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
