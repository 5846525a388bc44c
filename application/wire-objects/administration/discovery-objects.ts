import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.ts'
import { nsfwLevel } from '../communities/guild-objects.ts'
import { listingMembers } from '../communities/discovery-application-object.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'

/** An application with its guild and the guild's owner. `owner`: undefined if the account is gone, or the guild cannot be read. */
export interface OwnedApplication extends DiscoveryWithGuild {
  readonly owner: AccountRecord | undefined
}

export type PendingApplicationObject = ReturnType<typeof pendingApplicationObject>
export type DiscoveryListingObject = ReturnType<typeof discoveryListingObject>

/** An application that waits for its review, with the guild and its owner. */
export function pendingApplicationObject({ application, guild, owner }: OwnedApplication) {
  return {
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
  }
}

/** The Admin discovery listing object: the same, and when it was approved. */
export function discoveryListingObject(owned: OwnedApplication) {
  // Written into the new object: there are thousands in a list, and a copy of each takes longer than all else here.
  return Object.assign(pendingApplicationObject(owned), { approved_at: owned.application.reviewedAt })
}
