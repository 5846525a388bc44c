import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** One account's side of a relationship, which may differ from the other's. */
export interface Side {
  readonly kind: 'friend' | 'blocked' | 'incoming' | 'outgoing'
  readonly since: Timestamp
  /** Personal: the account's nickname for its friend; null for none. */
  readonly nickname: string | null
}

/** The relationship of two accounts, by the account whose side it is; an empty side is left out. */
export interface RelationshipState {
  readonly status: 'unrelated' | 'related'
  readonly sides: Readonly<Record<AccountId, Side>>
}

/** An account's side; undefined if it is empty. */
export function sideOf({ sides }: Pick<RelationshipState, 'sides'>, account: AccountId): Side | undefined {
  return Object.hasOwn(sides, account) ? sides[account] : undefined
}
