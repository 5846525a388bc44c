import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'

/** What one account has of another: always its own view, which need not be the other's. */
export interface Side {
  readonly kind: 'friend' | 'blocked' | 'incoming' | 'outgoing'
  readonly since: Timestamp
  /** Personal: what the account calls its friend; null for nothing. */
  readonly nickname: string | null
}

/** What two accounts are to each other, by the account whose view it is; one that has nothing of the other is left out. */
export interface RelationshipState {
  readonly status: 'unrelated' | 'related'
  readonly sides: Readonly<Record<AccountId, Side>>
}

/** What an account has of the other; undefined for nothing. */
export function sideOf({ sides }: Pick<RelationshipState, 'sides'>, account: AccountId): Side | undefined {
  return Object.hasOwn(sides, account) ? sides[account] : undefined
}
