import type { DiscoveryRecord } from '../../ports/queries/discovery-queries.ts'

export type DiscoveryApplicationObject = ReturnType<typeof discoveryApplicationObject>

/** A guild's application to the directory, as the guild sees it. Nothing in it tells who reviewed. */
export function discoveryApplicationObject(application: DiscoveryRecord) {
  const { guildId, status, listing, reviewReason, removalReason } = application
  return {
    guild_id: guildId,
    status,
    ...listingMembers(listing),
    applied_at: application.appliedAt,
    reviewed_at: application.reviewedAt,
    review_reason: reviewReason,
    removed_at: application.removedAt,
    removal_reason: removalReason,
  }
}

/** What a listing says, as every object of the directory has it. */
export function listingMembers(listing: DiscoveryRecord['listing']) {
  return {
    description: listing.description,
    category_type: listing.categoryType,
    primary_language: listing.primaryLanguage,
    custom_tags: listing.customTags,
  }
}
