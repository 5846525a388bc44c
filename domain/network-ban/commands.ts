import type { Timestamp } from '../kernel/timestamp.js'
import type { NetworkBanned } from './events.js'

export type NetworkBanCommand = BanNetwork | LiftNetworkBan

/** Takes the place of a ban that stands; but one for failures leaves every other as it is. */
export interface BanNetwork extends Omit<NetworkBanned, 'bannedAt'> {
  readonly type: 'BanNetwork'
  readonly now: Timestamp
}

/** Lifting a ban that is not there, or has ended, changes nothing. */
export interface LiftNetworkBan {
  readonly type: 'LiftNetworkBan'
  readonly now: Timestamp
}
