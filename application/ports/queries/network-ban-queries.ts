import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { NetworkBanned } from '../../../domain/network-ban/events.js'

/** A ban as the read model holds it. */
export interface NetworkBanRecord extends NetworkBanned {
  /** Null if the operator banned it at the command line, or the server itself did. */
  readonly bannedBy: AccountId | null
}

export interface NetworkBanQueries {
  /** The bans in force at an instant, at most `limit`: permanent ones first, then the newest. */
  holding(now: Timestamp, limit: number): Promise<readonly NetworkBanRecord[]>
  /** The number of bans made and lifted so far. A different number means that something changed. */
  changes(): Promise<number>
}
