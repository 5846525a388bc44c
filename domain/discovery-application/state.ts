import type { GuildId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { DirectoryListing } from './listing.ts'

export const discoveryStatuses = ['pending', 'approved', 'rejected', 'removed'] as const
export type DiscoveryStatus = (typeof discoveryStatuses)[number]

/** A guild's application to the directory, if it has one. */
export type DiscoveryApplicationState = Decisions &
  ({ readonly status: 'absent' } | ({ readonly status: DiscoveryStatus } & DiscoveryApplication))

/** The decisions that the guild's own stream must follow. A withdrawal does not begin their count anew. */
interface Decisions {
  /** The number of the last one; 0 for none. */
  readonly decisions: number
  /** The numbers of those that the guild's stream is not known to have followed: one for each request that runs or died. */
  readonly unsettled: readonly number[]
}

/** An application. Who applied and who reviewed stands in the events alone. */
export interface DiscoveryApplication {
  readonly guildId: GuildId
  readonly listing: DirectoryListing
  readonly appliedAt: Timestamp
  /** When it was approved or rejected; when it was submitted if it was approved at once; null while pending. */
  readonly reviewedAt: Timestamp | null
  readonly reviewReason: string | null
  readonly removedAt: Timestamp | null
  readonly removalReason: string | null
}

/** Whether the guild is in the directory, and so has DISCOVERABLE. */
export function isListed({ status }: Pick<DiscoveryApplicationState, 'status'>): boolean {
  return status === 'approved'
}
