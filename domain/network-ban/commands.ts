import type { Timestamp } from '../kernel/timestamp.ts'
import type { NetworkBanned } from './events.ts'

export type NetworkBanCommand = BanNetwork | LiftNetworkBan

/** Replaces an existing ban, except that a ban for failures never replaces one. */
export interface BanNetwork extends Omit<NetworkBanned, 'bannedAt'> {
  readonly type: 'BanNetwork'
  readonly now: Timestamp
}

/** Lifting a ban that does not exist, or has ended, changes nothing. */
export interface LiftNetworkBan {
  readonly type: 'LiftNetworkBan'
  readonly now: Timestamp
}
