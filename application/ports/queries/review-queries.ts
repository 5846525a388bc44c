import type { GuildFacts } from '../../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { DiscoveryWithGuild } from './discovery-queries.ts'

export type DecisionKind = 'approved' | 'rejected' | 'removed' | 'restored' | 'withdrawn'

/** A decision about a guild's application, with the listing and the guild as they were then. */
export interface DecisionRecord {
  readonly guildId: GuildId
  readonly kind: DecisionKind
  readonly reason: string | null
  /** Null for a withdrawal. */
  readonly listing: DirectoryListing | null
  /** Null if the guild could not be read at that moment. */
  readonly guild: GuildFacts | null
  readonly decidedAt: Timestamp
}

/** A position in the queue of applications that wait for a review. */
export interface QueuePosition {
  readonly appliedAt: Timestamp
  readonly guildId: GuildId
}

/** What those need who review applications. */
export interface ReviewQueries {
  /** Pending applications after a position, the longest waiting first. Those of streams that cannot be read are left out. */
  queue(limit: number, after?: QueuePosition): Promise<readonly DiscoveryWithGuild[]>
  /** The newest 20 decisions about each of the guilds' applications, oldest first. */
  decisionsOn(guilds: readonly GuildId[]): Promise<readonly DecisionRecord[]>
  /** Approved listings after a guild, in the order of their ids. */
  listings(limit: number, after?: GuildId): Promise<readonly DiscoveryWithGuild[]>
}
