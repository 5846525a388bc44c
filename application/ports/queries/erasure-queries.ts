import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'

/** Which accounts are to be erased. */
export interface ErasureQueries {
  /** Accounts whose deletion is due, those that own a guild left out, the longest due first, at most `limit`. */
  due(now: Timestamp, limit: number): Promise<readonly AccountId[]>
  /** How many accounts can't be erased although it is due, since they own a guild. */
  overdueOwners(now: Timestamp): Promise<number>
}
