import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { NetworkBanned } from '../../../domain/network-ban/events.ts'

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
