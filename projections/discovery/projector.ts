import type { DiscoveryApplicationEvent } from '../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../domain/discovery-application/listing.ts'
import type { DiscoveryStatus } from '../../domain/discovery-application/state.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { MembershipEvent } from '../../domain/membership/events.ts'
import { patch, projection, put, remove, removeWhere, type Row, type RowChange } from '../runner/projection.ts'
import { decisionRow, decisions_max } from './decision-rows.ts'
import { searchBegins, searchChanged } from './search-changes.ts'

/** The applications to the directory. Their guilds are joined when they are read. */
export const discoveryProjection = projection<DiscoveryApplicationEvent | GuildEvent | MembershipEvent>({
  name: 'discovery',
  answers:
    'Applications of guilds to the directory, what was decided about them, and which listed guilds changed when.',
  version: 4,
  tables: new URL('./tables.sql', import.meta.url),
  keys: {
    applications: ['guild_id'],
    search_changes: ['guild_id'],
    decisions: ['guild_id', 'position'],
  },
  retains: { decisions: { group: 'guild_id', newestBy: 'position', rows_max: decisions_max } },
  on: {
    DiscoveryApplied: (event) => {
      const { guildId, listing, guild, approvedAtOnce, appliedAt } = event.data
      const evidence = { ...listing, guild }
      const applied = put('applications', {
        guild_id: guildId,
        status: approvedAtOnce ? 'approved' : 'pending',
        ...listingColumns(listing),
        applied_at: appliedAt,
        reviewed_at: approvedAtOnce ? appliedAt : null,
        review_reason: null,
        removed_at: null,
        removal_reason: null,
      })
      return [
        applied,
        searchBegins(event, guildId),
        ...(approvedAtOnce ? [decisionRow(event, 'approved', { guildId, reason: null, evidence, at: appliedAt })] : []),
      ]
    },
    DiscoveryApplicationApproved: (event) => {
      const { guildId, reason, reviewedAt, evidence } = event.data
      const review = { reviewed_at: reviewedAt, review_reason: reason, ...notRemoved }
      return [
        become('approved', guildId, review),
        searchChanged(event, guildId),
        decisionRow(event, 'approved', { guildId, reason, evidence, at: reviewedAt }),
      ]
    },
    DiscoveryApplicationRejected: (event) => {
      const { guildId, reason, reviewedAt, evidence } = event.data
      return [
        become('rejected', guildId, { reviewed_at: reviewedAt, review_reason: reason }),
        decisionRow(event, 'rejected', { guildId, reason, evidence, at: reviewedAt }),
      ]
    },
    DiscoveryApplicationEdited: (event) => [
      patch('applications', { guild_id: event.data.guildId }, listingColumns(event.data.after)),
      searchChanged(event, event.data.guildId),
    ],
    DiscoveryListingMoved: (event) => [
      patch('applications', { guild_id: event.data.guildId }, { category_type: event.data.after }),
      searchChanged(event, event.data.guildId),
    ],
    DiscoveryListingRemoved: (event) => {
      const { guildId, reason, removedAt, evidence } = event.data
      return [
        become('removed', guildId, { removed_at: removedAt, removal_reason: reason }),
        searchChanged(event, guildId),
        decisionRow(event, 'removed', { guildId, reason, evidence, at: removedAt }),
      ]
    },
    DiscoveryListingRestored: (event) => {
      const { guildId, restoredAt, evidence } = event.data
      return [
        become('approved', guildId, notRemoved),
        searchChanged(event, guildId),
        decisionRow(event, 'restored', { guildId, reason: null, evidence, at: restoredAt }),
      ]
    },
    DiscoveryApplicationWithdrawn: (event) => {
      const { guildId, withdrawnAt } = event.data
      return [
        remove('applications', { guild_id: guildId }),
        searchChanged(event, guildId),
        decisionRow(event, 'withdrawn', { guildId, reason: null, evidence: null, at: withdrawnAt }),
      ]
    },
    DiscoveryApplicationDropped: (event) => [
      remove('applications', { guild_id: event.data.guildId }),
      searchChanged(event, event.data.guildId),
      removeWhere('decisions', { guild_id: event.data.guildId }),
    ],
    GuildModified: (event) => (event.data.after.name === undefined ? [] : [searchChanged(event, event.data.guildId)]),
    GuildDeleted: (event) => [searchChanged(event, event.data.guildId)],
    // The members themselves are counted by the read model `members`.
    MemberJoined: (event) => [searchChanged(event, event.data.guildId)],
    MemberLeft: (event) => [searchChanged(event, event.data.guildId)],
    MemberKicked: (event) => [searchChanged(event, event.data.guildId)],
    MemberBanned: (event) => (event.data.wasMember ? [searchChanged(event, event.data.guildId)] : []),
  },
})

const notRemoved = { removed_at: null, removal_reason: null }

function become(status: DiscoveryStatus, guildId: GuildId, columns: Row): RowChange {
  return patch('applications', { guild_id: guildId }, { status, ...columns })
}

function listingColumns({ description, categoryType, primaryLanguage, customTags }: Partial<DirectoryListing>): Row {
  return {
    ...(description === undefined ? {} : { description }),
    ...(categoryType === undefined ? {} : { category_type: categoryType }),
    ...(primaryLanguage === undefined ? {} : { primary_language: primaryLanguage }),
    ...(customTags === undefined ? {} : { custom_tags: customTags }),
  }
}
