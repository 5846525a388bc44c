import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** The accounts that are to be erased. */
export interface ErasureQueries {
  /** Accounts whose deletion is due, except those that own a guild. The longest overdue first, at most `limit`. */
  due(now: Timestamp, limit: number): Promise<readonly AccountId[]>
  /** How many accounts are due for erasure but cannot be erased because they own a guild. */
  overdueOwners(now: Timestamp): Promise<number>
}
