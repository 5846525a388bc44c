import { usersOf } from '../../conversations/relationships/read-relationships.ts'
import { approvedListings } from './approved-listings.ts'
import type { CategoryPage, DiscoveryWithGuild } from '../../ports/queries/discovery-queries.ts'
import type { Ports } from '../../ports.ts'
import {
  discoveryListingObject,
  pendingApplicationObject,
  type DiscoveryListingObject,
  type OwnedApplication,
  type PendingApplicationObject,
} from '../../wire-objects/administration/discovery-objects.ts'

type Needs = Pick<Ports, 'queries'>

/** Every pending application, as reviewers see it. */
export function listDiscoveryApplications({ queries }: Needs) {
  return async (): Promise<readonly PendingApplicationObject[]> => {
    const owned = await withOwners({ queries }, await queries.discovery.ofStatus('pending'))
    return owned.map(pendingApplicationObject)
  }
}

/** Every approved listing in the order of ids, read a page at a time, and how many there were before the first. */
export function listDiscoveryListings({ queries }: Needs) {
  return async (): Promise<{
    readonly count: number
    readonly pages: AsyncIterable<readonly DiscoveryListingObject[]>
  }> => ({
    count: await queries.discovery.countOf(),
    pages: approvedListings({ queries }, async (page) =>
      (await withOwners({ queries }, page)).map(discoveryListingObject),
    ),
  })
}

/** A page of the listings of a category, and how many it has. */
export function listCategoryListings({ queries }: Needs) {
  return async (
    categoryType: number,
    page: CategoryPage,
  ): Promise<{ readonly listings: readonly DiscoveryListingObject[]; readonly total: number }> => {
    const found = await queries.discovery.ofCategory(categoryType, page)
    const total = await queries.discovery.countOf(categoryType)
    return { listings: (await withOwners({ queries }, found)).map(discoveryListingObject), total }
  }
}

/** The same with the owners of the guilds. */
export async function withOwners(
  { queries }: Needs,
  found: readonly DiscoveryWithGuild[],
): Promise<readonly OwnedApplication[]> {
  const ids = new Set(found.flatMap(({ guild }) => (guild ? [guild.ownerId] : [])))
  const owners = await usersOf({ queries }, [...ids])
  return found.map(({ application, guild }) => ({ application, guild, owner: guild && owners.get(guild.ownerId) }))
}
