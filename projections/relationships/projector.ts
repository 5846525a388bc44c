import { relationshipTypes, type RelationshipType } from '../../domain/relationship/relationship-types.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { RelationshipEvent } from '../../domain/relationship/events.ts'
import { patch, projection, put, remove, removeWhere, type RowChange } from '../runner/projection.ts'

const { friend, blocked, incomingRequest, outgoingRequest } = relationshipTypes

/** The relationships of accounts, each from its owner's side. */
export const relationshipsProjection = projection<RelationshipEvent | AccountEvent>({
  name: 'relationships',
  answers: 'What accounts are to each other: one row for each side.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { relationships: ['owner_id', 'other_id'] },
  on: {
    FriendshipRequested: ({ data: { accountId, otherId, requestedAt, shown } }) => [
      side(accountId, otherId, outgoingRequest, requestedAt),
      ...(shown ? [side(otherId, accountId, incomingRequest, requestedAt)] : []),
    ],
    FriendshipFormed: ({ data: { accountId, otherId, formedAt } }) => [
      side(accountId, otherId, friend, formedAt),
      side(otherId, accountId, friend, formedAt),
    ],
    AccountBlocked: ({ data: { accountId, otherId, blockedAt, removedFromOther } }) => [
      ...(removedFromOther ? [gone(otherId, accountId)] : []),
      side(accountId, otherId, blocked, blockedAt),
    ],
    FriendNicknameChanged: ({ data: { accountId, otherId, nickname } }) => [
      patch('relationships', keyOf(accountId, otherId), { nickname }),
    ],
    RelationshipRemoved: ({ data: { accountId, otherId, removedFrom } }) =>
      removedFrom.map((owner) => gone(owner, owner === accountId ? otherId : accountId)),
    // The relationships of others with the account end one by one, so that they are notified.
    AccountErasureStarted: ({ data }) => [removeWhere('relationships', { owner_id: data.accountId })],
  },
})

function side(owner: AccountId, other: AccountId, type: RelationshipType, since: Timestamp): RowChange {
  return put('relationships', { ...keyOf(owner, other), type, since })
}

const gone = (owner: AccountId, other: AccountId): RowChange => remove('relationships', keyOf(owner, other))

const keyOf = (owner: AccountId, other: AccountId) => ({ owner_id: owner, other_id: other })
