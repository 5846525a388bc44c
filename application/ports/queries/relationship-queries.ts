import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** What somebody else is to an account (reference gateway 3.10). */
export const relationshipTypes = { friend: 1, blocked: 2, incomingRequest: 3, outgoingRequest: 4 } as const

export type RelationshipType = (typeof relationshipTypes)[keyof typeof relationshipTypes]

/** A relationship as the account that has it sees it. */
export interface Relationship {
  /** Whose it is. */
  readonly ownerId: AccountId
  /** The other account. */
  readonly otherId: AccountId
  readonly type: RelationshipType
  readonly since: Timestamp
  /** What the owner calls the other; null for nothing. */
  readonly nickname: string | null
}

export interface RelationshipQueries {
  /** What `other` is to `owner`; undefined for nothing. */
  find(owner: AccountId, other: AccountId): Promise<Relationship | undefined>
  /** What each of several accounts is to `owner`, and `owner` to them; pairs without a relationship are left out. */
  among(owner: AccountId, others: readonly AccountId[]): Promise<readonly Relationship[]>
  /** The oldest first. */
  ofAccount(owner: AccountId): Promise<readonly Relationship[]>
  /** How many friends, requests of either kind and blocks an account has. */
  countOf(owner: AccountId): Promise<number>
  haveMutualFriend(one: AccountId, other: AccountId): Promise<boolean>
  /** The friends that both have, by descending id; at most `count_max`. */
  mutualFriends(one: AccountId, other: AccountId, count_max: number): Promise<readonly AccountId[]>
  /** The accounts that have a relationship with `other`, by ascending id, those after one; at most `count_max`. */
  ownersWith(other: AccountId, after: AccountId | undefined, count_max: number): Promise<readonly AccountId[]>
}
