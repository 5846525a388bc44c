import { z } from 'zod'
import type { PublicListing } from '../../ports/queries/directory-search-queries.ts'
import { listingMembers, listingSchemas } from './discovery-application-object.ts'
import { imageHashOutput, snowflakeOutput } from '../scalars.ts'
import { verificationInWords } from './guild-objects.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

/** A guild as the directory shows it. */
export const discoveryGuildSchema = wireObject('DiscoveryGuild', {
  id: snowflakeOutput,
  name: z.string(),
  icon: imageHashOutput,
  banner: imageHashOutput,
  ...listingSchemas,
  member_count: z.int().describe('All members.'),
  online_count: z.int().describe('Members that are online.'),
  features: z.array(z.string()).readonly().describe('Names of the registry of guild features.'),
  verification_level: z.int().describe(`Who may write: ${verificationInWords}`),
})

export type DiscoveryGuildObject = ObjectOf<typeof discoveryGuildSchema>

/** Listed guilds are joined by strangers, so that the directory shows at least LOW. */
const verificationLevel_min = 1

/** A guild as the directory lists it. */
export function discoveryGuildObject(listing: PublicListing, onlineCount: number): DiscoveryGuildObject {
  return objectOf(discoveryGuildSchema, {
    id: listing.id,
    name: listing.name,
    icon: listing.icon,
    banner: listing.banner,
    ...listingMembers(listing.listing),
    member_count: listing.memberCount,
    online_count: onlineCount,
    features: listing.features,
    verification_level: Math.max(verificationLevel_min, listing.verificationLevel),
  })
}
