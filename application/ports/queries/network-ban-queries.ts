import type { AccountId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { NetworkBanned } from '../../../domain/network-ban/events.js'

/** A ban as the read model holds it. */
export interface NetworkBanRecord extends NetworkBanned {
  /** Null where it was the operator at the command line, or the server itself. */
  readonly bannedBy: AccountId | null
}

export interface NetworkBanQueries {
  /**
   * The bans that hold at an instant, at most `limit`: those without an end first, then the newest.
   */
  holding(now: Timestamp, limit: number): Promise<readonly NetworkBanRecord[]>
  /** How often any ban was made or lifted: another number says that there is something new. */
  changes(): Promise<number>
}
