import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { NetworkBanned } from '../../../domain/network-ban/events.ts'

/** A ban as the read model holds it. */
export interface NetworkBanRecord extends NetworkBanned {
  /** Null if the operator banned it at the command line, or the server itself did. */
  readonly bannedBy: AccountId | null
}

/** A page of the bans in force. */
export interface NetworkBanPage {
  readonly now: Timestamp
  /** Only that of this network; null for all. */
  readonly network: string | null
  /** The last ban of the page before; null for the first page. */
  readonly after: NetworkBanCursor | null
  readonly limit: number
}

export type NetworkBanCursor = Readonly<Pick<NetworkBanRecord, 'bannedAt' | 'network'>>

/** What a process keeps a copy of the bans from. */
export interface HoldingNetworkBans {
  /** The bans in force at an instant, at most `limit`: permanent ones first, then the newest. */
  holding(now: Timestamp, limit: number): Promise<readonly NetworkBanRecord[]>
  /** The number of bans made and lifted so far. A different number means that something changed. */
  changes(): Promise<number>
}

export interface NetworkBanQueries extends HoldingNetworkBans {
  /** The bans in force, the newest first. */
  page(page: NetworkBanPage): Promise<readonly NetworkBanRecord[]>
}
