import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/** A deletion of all messages that the holder of an account scheduled. */
export interface DueMessageDeletion {
  readonly accountId: AccountId
  readonly dueAt: Timestamp
}

/** The accounts that are to be erased, or whose messages are. */
export interface ErasureQueries {
  /**
   * Accounts whose deletion is due, except holders who asked for it themselves and own a guild. The longest overdue first, at most
   * `limit`.
   */
  due(now: Timestamp, limit: number): Promise<readonly AccountId[]>
  /** Accounts with a pending deletion, those that are due first at the start; at most `limit`. */
  scheduled(limit: number): Promise<readonly AccountId[]>
  /** How many accounts cannot be erased, although their holders' own deletion is due, because they own a guild. */
  overdueOwners(now: Timestamp): Promise<number>
  /** Deletions of all messages that are due, the longest overdue first, at most `limit`. */
  dueMessageDeletions(now: Timestamp, limit: number): Promise<readonly DueMessageDeletion[]>
}
