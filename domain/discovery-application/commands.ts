import type { AccountId, GuildId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { GuildFacts } from './events.ts'
import type { DirectoryListing } from './listing.ts'

export type DiscoveryApplicationCommand =
  | ApplyForDiscovery
  | ApproveDiscovery
  | RejectDiscovery
  | EditDiscovery
  | MoveDiscoveryListing
  | RemoveDiscoveryListing
  | RestoreDiscoveryListing
  | ChangeDiscoveryByFeature
  | WithdrawDiscovery
  | DropDiscovery
  | SettleDiscovery

/** Apply for discovery. The sender has checked that the guild may. */
export interface ApplyForDiscovery {
  readonly type: 'ApplyForDiscovery'
  readonly guildId: GuildId
  readonly by: AccountId
  readonly listing: DirectoryListing
  readonly guild: GuildFacts | null
  /** Whether the guild needs no review. */
  readonly atOnce: boolean
  readonly now: Timestamp
}

interface Judging {
  /** The administrator. */
  readonly by: AccountId
  /** The guild as the administrator could see it; null if it is gone or cannot be read. */
  readonly guild: GuildFacts | null
  readonly now: Timestamp
}

/** Review discovery application with status approved. */
export interface ApproveDiscovery extends Judging {
  readonly type: 'ApproveDiscovery'
  readonly reason: string | null
}

/** Review discovery application with status rejected. */
export interface RejectDiscovery extends Judging {
  readonly type: 'RejectDiscovery'
  readonly reason: string
}

/** Update discovery application by the guild, or Update discovery listing by an administrator. */
export interface EditDiscovery {
  readonly type: 'EditDiscovery'
  readonly by: AccountId
  readonly byAdministrator: boolean
  readonly changes: Partial<DirectoryListing>
  readonly now: Timestamp
}

/** Move discovery listings to a category, for one of them. */
export interface MoveDiscoveryListing {
  readonly type: 'MoveDiscoveryListing'
  readonly by: AccountId
  readonly categoryType: number
  readonly now: Timestamp
}

/** Remove discovery listing. */
export interface RemoveDiscoveryListing extends Judging {
  readonly type: 'RemoveDiscoveryListing'
  readonly reason: string
}

/** The last removal is undone, by whoever runs the instance. */
export interface RestoreDiscoveryListing extends Omit<Judging, 'by'> {
  readonly type: 'RestoreDiscoveryListing'
}

/** An administrator gives the guild DISCOVERABLE or takes it away, whatever the status of the application is. */
export interface ChangeDiscoveryByFeature extends Judging {
  readonly type: 'ChangeDiscoveryByFeature'
  readonly discoverable: boolean
}

/** Withdraw discovery application. */
export interface WithdrawDiscovery {
  readonly type: 'WithdrawDiscovery'
  readonly by: AccountId
  readonly now: Timestamp
}

/** The guild is deleted, and takes its application along. */
export interface DropDiscovery {
  readonly type: 'DropDiscovery'
}

/** The guild's stream agrees with the application, as far as the sender knows. Does nothing if more was decided since. */
export interface SettleDiscovery {
  readonly type: 'SettleDiscovery'
  readonly guildId: GuildId
  /** The decision that the sender follows up. Each ends for itself: another one may be slower, and write after this one. */
  readonly decision: number
  /** The number of decisions when the sender read the application, before it changed the guild. */
  readonly seen: number
}
