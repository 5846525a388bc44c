import type { AccountId } from '../../../domain/ids/ids.ts'
import type { RelationshipType } from '../../../domain/relationship/relationship-types.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** A relationship from its owner's side. */
export interface Relationship {
  /** The account that has the relationship. */
  readonly ownerId: AccountId
  /** The other account. */
  readonly otherId: AccountId
  readonly type: RelationshipType
  readonly since: Timestamp
  /** The owner's nickname for the other; null for none. */
  readonly nickname: string | null
}

export interface RelationshipQueries {
  /** The relationship of `owner` to `other`; undefined for none. */
  find(owner: AccountId, other: AccountId): Promise<Relationship | undefined>
  /** The relationships of `owner` to each of the accounts, and of each to `owner`. Pairs without one are left out. */
  among(owner: AccountId, others: readonly AccountId[]): Promise<readonly Relationship[]>
  /** The oldest first. */
  ofAccount(owner: AccountId): Promise<readonly Relationship[]>
  /** How many relationships an account has: friends, requests of both kinds and blocks. */
  countOf(owner: AccountId): Promise<number>
  haveMutualFriend(one: AccountId, other: AccountId): Promise<boolean>
  /** The friends that both accounts have, by descending id; at most `count_max`. */
  mutualFriends(one: AccountId, other: AccountId, count_max: number): Promise<readonly AccountId[]>
  /** The accounts with a relationship to `other`, by ascending id, after `after`; at most `count_max`. */
  ownersWith(other: AccountId, after: AccountId | undefined, count_max: number): Promise<readonly AccountId[]>
}
