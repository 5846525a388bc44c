import { z } from 'zod'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.ts'
import { nsfwLevel } from '../communities/guild-objects.ts'
import { listingMembers, listingSchemas } from '../communities/discovery-application-object.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const pendingMembers = {
  guild_id: snowflakeOutput,
  guild_name: z.string(),
  guild_icon: z.string().nullable(),
  guild_owner_id: snowflakeOutput,
  guild_owner_username: z.string().nullable(),
  guild_owner_global_name: z.string().nullable(),
  guild_owner_discriminator: z.string().nullable(),
  guild_member_count: z.int().describe('All members.'),
  guild_nsfw_level: z.int().nullable(),
  guild_features: z.array(z.string()).readonly(),
  ...listingSchemas,
  applied_at: timestampOutput,
}

/** An application that waits for a review. */
export const pendingApplicationSchema = wireObject('AdminPendingDiscoveryApplication', pendingMembers)

export type PendingApplicationObject = ObjectOf<typeof pendingApplicationSchema>

/** A guild that stands in the directory. */
export const discoveryListingSchema = wireObject('AdminDiscoveryListing', {
  ...pendingMembers,
  approved_at: timestampOutput.nullable(),
})

export type DiscoveryListingObject = ObjectOf<typeof discoveryListingSchema>

/** An application with its guild and the guild's owner. `owner`: undefined if the account is gone, or the guild cannot be read. */
export interface OwnedApplication extends DiscoveryWithGuild {
  readonly owner: AccountRecord | undefined
}

/** An application that waits for its review, with the guild and its owner. */
export function pendingApplicationObject({ application, guild, owner }: OwnedApplication): PendingApplicationObject {
  return objectOf(pendingApplicationSchema, {
    guild_id: application.guildId,
    guild_name: guild?.name ?? '(unknown guild)',
    guild_icon: guild?.icon ?? null,
    guild_owner_id: guild?.ownerId ?? '0',
    guild_owner_username: owner?.username ?? null,
    guild_owner_global_name: owner?.profile.globalName ?? null,
    guild_owner_discriminator: owner ? paddedDiscriminator(owner.discriminator) : null,
    guild_member_count: guild?.memberCount ?? 0,
    guild_nsfw_level: guild ? nsfwLevel(guild) : null,
    guild_features: guild?.features ?? [],
    ...listingMembers(application.listing),
    applied_at: application.appliedAt,
  })
}

/** The Admin discovery listing object: the same, and when it was approved. */
export function discoveryListingObject(owned: OwnedApplication): DiscoveryListingObject {
  // Written into the new object: there are thousands in a list, and a copy of each takes longer than all else here.
  const approved = { approved_at: owned.application.reviewedAt }
  return objectOf(discoveryListingSchema, Object.assign(pendingApplicationObject(owned), approved))
}
