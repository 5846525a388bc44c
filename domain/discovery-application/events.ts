import type { AccountId, GuildId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { DirectoryListing } from './listing.ts'

/** The events of a guild's application to the directory. Kept forever: members are added, never renamed or reused. */
export const discoveryApplicationEvents = {
  DiscoveryApplied: event<DiscoveryApplied>({
    guildId: 'text',
    decision: 'number',
    appliedBy: 'text',
    listing: 'object',
    guild: 'object or null',
    approvedAtOnce: 'flag',
    appliedAt: 'text',
  }),
  DiscoveryApplicationApproved: event<DiscoveryApplicationReviewed>({
    guildId: 'text',
    decision: 'number',
    reviewedBy: 'text',
    reason: 'text or null',
    evidence: 'object',
    reviewedAt: 'text',
  }),
  DiscoveryApplicationRejected: event<DiscoveryApplicationRejected>({
    guildId: 'text',
    reviewedBy: 'text',
    reason: 'text',
    evidence: 'object',
    reviewedAt: 'text',
  }),
  DiscoveryApplicationEdited: event<DiscoveryApplicationEdited>({
    guildId: 'text',
    editedBy: 'text',
    byAdministrator: 'flag',
    before: 'object',
    after: 'object',
    editedAt: 'text',
  }),
  DiscoveryListingMoved: event<DiscoveryListingMoved>({
    guildId: 'text',
    movedBy: 'text',
    before: 'number',
    after: 'number',
    movedAt: 'text',
  }),
  DiscoveryListingRemoved: event<DiscoveryListingRemoved>({
    guildId: 'text',
    decision: 'number',
    removedBy: 'text',
    reason: 'text or null',
    evidence: 'object',
    removedAt: 'text',
  }),
  DiscoveryListingRestored: event<DiscoveryListingRestored>({
    guildId: 'text',
    decision: 'number',
    undoes: 'number',
    evidence: 'object',
    restoredAt: 'text',
  }),
  DiscoveryApplicationWithdrawn: event<DiscoveryApplicationWithdrawn>({
    guildId: 'text',
    decision: 'number',
    withdrawnBy: 'text',
    withdrawnAt: 'text',
  }),
  DiscoveryApplicationDropped: event<{ readonly guildId: GuildId }>({ guildId: 'text' }),
  DiscoveryListingSettled: event<{ readonly guildId: GuildId; readonly decision: number }>({
    guildId: 'text',
    decision: 'number',
  }),
}

export type DiscoveryApplicationEvent = EventOf<typeof discoveryApplicationEvents>

/** What a guild looked like when somebody decided about it. */
export interface GuildFacts {
  readonly name: string
  /** The hash of its icon. */
  readonly icon: string | null
  readonly memberCount: number
}

/** What was judged: the listing, and the guild at that moment; null where the guild was gone or could not be read. */
export interface ReviewEvidence extends DirectoryListing {
  readonly guild: GuildFacts | null
}

/**
 * A decision that the guild's own stream must follow: it gets or loses DISCOVERABLE. Decisions of an application are counted from
 * 1, also over withdrawals.
 */
interface Decided {
  readonly guildId: GuildId
  readonly decision: number
}

/** A guild applied: for the first time, again after a rejection, removal or withdrawal. */
export interface DiscoveryApplied extends Decided {
  readonly appliedBy: AccountId
  readonly listing: DirectoryListing
  readonly guild: GuildFacts | null
  /** Whether it was approved without a review (rules/directory#apply). */
  readonly approvedAtOnce: boolean
  readonly appliedAt: Timestamp
}

/** The reason is the reviewer's words on a guild; null for none. */
export interface DiscoveryApplicationReviewed extends Decided {
  readonly reviewedBy: AccountId
  readonly reason: string | null
  readonly evidence: ReviewEvidence
  readonly reviewedAt: Timestamp
}

/** Nothing follows in the guild's stream: the guild was not in the directory. */
export interface DiscoveryApplicationRejected extends Omit<DiscoveryApplicationReviewed, 'decision' | 'reason'> {
  readonly reason: string
}

/** The members that changed. */
export interface DiscoveryApplicationEdited {
  readonly guildId: GuildId
  readonly editedBy: AccountId
  readonly byAdministrator: boolean
  readonly before: Partial<DirectoryListing>
  readonly after: Partial<DirectoryListing>
  readonly editedAt: Timestamp
}

/** An administrator moved it to another category. */
export interface DiscoveryListingMoved {
  readonly guildId: GuildId
  readonly movedBy: AccountId
  readonly before: number
  readonly after: number
  readonly movedAt: Timestamp
}

/** The reason is null where an administrator took the feature away instead of the listing. */
export interface DiscoveryListingRemoved extends Decided {
  readonly removedBy: AccountId
  readonly reason: string | null
  readonly evidence: ReviewEvidence
  readonly removedAt: Timestamp
}

/** A removal was undone at the command line: the guild is listed as it was before. */
export interface DiscoveryListingRestored extends Decided {
  /** The decision that removed it. */
  readonly undoes: number
  readonly evidence: ReviewEvidence
  readonly restoredAt: Timestamp
}

/** The guild took its application back, whatever its status was. */
export interface DiscoveryApplicationWithdrawn extends Decided {
  readonly withdrawnBy: AccountId
  readonly withdrawnAt: Timestamp
}
