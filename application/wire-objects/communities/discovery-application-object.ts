import { z } from 'zod'
import { discoveryStatuses } from '../../../domain/discovery-application/state.ts'
import type { DiscoveryRecord } from '../../ports/queries/discovery-queries.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** What a listing says, in answers. */
export const listingSchemas = {
  description: z.string(),
  category_type: z.int().describe('The number of the category: List discovery categories.'),
  primary_language: z.string().nullable().describe('The language of the guild; the first of the list if it is absent.'),
  custom_tags: z.array(z.string()).readonly().describe('Words by which the directory finds the guild.'),
}

/** A guild's application. It never shows who reviewed it. */
export const discoveryApplicationSchema = wireObject('DiscoveryApplication', {
  guild_id: snowflakeOutput,
  status: z.enum(discoveryStatuses),
  ...listingSchemas,
  applied_at: timestampOutput,
  reviewed_at: timestampOutput.nullable(),
  review_reason: z.string().nullable().describe('What the reviewer wrote; null if nothing.'),
  removed_at: timestampOutput.nullable(),
  removal_reason: z.string().nullable().describe('Why the listing was removed; null if it was not.'),
})

export type DiscoveryApplicationObject = ObjectOf<typeof discoveryApplicationSchema>

/** A guild's application to the directory, as the guild sees it. Nothing in it tells who reviewed. */
export function discoveryApplicationObject(application: DiscoveryRecord): DiscoveryApplicationObject {
  const { guildId, status, listing, reviewReason, removalReason } = application
  return objectOf(discoveryApplicationSchema, {
    guild_id: guildId,
    status,
    ...listingMembers(listing),
    applied_at: application.appliedAt,
    reviewed_at: application.reviewedAt,
    review_reason: reviewReason,
    removed_at: application.removedAt,
    removal_reason: removalReason,
  })
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
