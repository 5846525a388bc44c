import type { PublicListing } from '../../ports/queries/directory-search-queries.ts'
import { listingMembers } from './discovery-application-object.ts'

/** Listed guilds are joined by strangers, so that the directory shows at least LOW. */
const verificationLevel_min = 1

export type DiscoveryGuildObject = ReturnType<typeof discoveryGuildObject>

/** A guild as the directory lists it. */
export function discoveryGuildObject(listing: PublicListing, onlineCount: number) {
  return {
    id: listing.id,
    name: listing.name,
    icon: listing.icon,
    banner: listing.banner,
    ...listingMembers(listing.listing),
    member_count: listing.memberCount,
    online_count: onlineCount,
    features: listing.features,
    verification_level: Math.max(verificationLevel_min, listing.verificationLevel),
  }
}
