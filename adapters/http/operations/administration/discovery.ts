import { z } from 'zod'
import {
  moveDiscoveryListings,
  updateDiscoveryListing,
} from '../../../../application/administration/discovery/edit-listings.ts'
import {
  listCategoryListings,
  listDiscoveryApplications,
  listDiscoveryListings,
} from '../../../../application/administration/discovery/list-discovery.ts'
import { discoveryCategories } from '../../../../application/communities/discovery/discovery-categories.ts'
import {
  removeDiscoveryListing,
  reviewDiscoveryApplication,
} from '../../../../application/administration/discovery/review-application.ts'
import { perUser } from '../../bucket.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { pagedArray, PagedReply } from '../../paged-reply.ts'
import { categoryPage, movedListings, moveResult, removal, review } from '../../schemas/administration/discovery.ts'
import { categoryIdInput, changesIn, discoveryCategory, listingChanges } from '../../schemas/communities/discovery.ts'
import { guildIdInput } from '../../schemas/scalars.ts'
import { discoveryApplicationSchema } from '../../../../application/wire-objects/communities/discovery-application-object.ts'
import {
  discoveryListingSchema,
  pendingApplicationSchema,
} from '../../../../application/wire-objects/administration/discovery-objects.ts'

/** The review of the guild directory (rules/directory#review). */

export const reviewing = admin({ acls: ['discovery:review'] })
export const listing = perUser('discovery:admin:list', { requests: 30, seconds: 10 })
export const acting = perUser('discovery:admin:action', { requests: 20, seconds: 10 })
export const guildParams = z.object({ guild_id: guildIdInput })

/** Part of an audit rule: the target is the guild of the path. */
export const ofGuild = {
  target: 'guild',
  targetId: ({ params }: { readonly params: z.output<typeof guildParams> }): string => params.guild_id,
}

const resultCount = (_: unknown, results: readonly unknown[]) => ({ result_count: String(results.length) })

const listApplicationsOperation = operation({
  name: 'List discovery applications',
  description: 'Every pending application.',
  route: 'GET /v1/admin/discovery/applications',
  callers: reviewing,
  bucket: listing,
  replies: { 200: z.array(pendingApplicationSchema) },
  adminAudit: { action: 'list_discovery_applications', target: 'guild', metadata: resultCount },
  useCase: listDiscoveryApplications,
  handle: (_, run) => run(),
})

const reviewOperation = operation({
  name: 'Review discovery application',
  description: 'Decides a pending application.',
  route: 'PATCH /v1/admin/discovery/applications/:guild_id',
  callers: reviewing,
  bucket: acting,
  params: guildParams,
  body: review,
  replies: { 200: discoveryApplicationSchema },
  adminAudit: {
    action: {
      anyOf: ['approve_discovery_application', 'reject_discovery_application'],
      of: ({ body: { status } }) =>
        status === 'approved' ? 'approve_discovery_application' : 'reject_discovery_application',
    },
    ...ofGuild,
    metadata: ({ body }) => ({ status: body.status }),
  },
  refuses: ['DISCOVERY_APPLICATION_ALREADY_REVIEWED', 'DISCOVERY_APPLICATION_NOT_FOUND'],
  useCase: reviewDiscoveryApplication,
  handle: ({ caller, params: { guild_id: guildId }, body }, run) => run(caller, guildId, body),
})

const listCategoriesOperation = operation({
  name: 'List discovery categories',
  description: 'Lists the categories of the directory.',
  route: 'GET /v1/admin/discovery/categories',
  callers: reviewing,
  bucket: listing,
  replies: { 200: z.array(discoveryCategory) },
  adminAudit: { action: 'list_discovery_categories', target: 'discovery_category', metadata: resultCount },
  handle: () => Promise.resolve(discoveryCategories()),
})

const listCategoryListingsOperation = operation({
  name: 'List guilds in a discovery category',
  description: 'A page of the listings of a category, and how many it has.',
  route: 'GET /v1/admin/discovery/categories/:category_id/listings',
  callers: reviewing,
  bucket: listing,
  params: z.object({ category_id: categoryIdInput }),
  query: categoryPage,
  replies: { 200: z.array(discoveryListingSchema) },
  adminAudit: {
    action: 'list_discovery_category_listings',
    target: 'discovery_category',
    metadata: ({ params, query }, listings) => ({
      category_id: String(params.category_id),
      limit: String(query.limit),
      offset: String(query.offset),
      result_count: String(listings.length),
    }),
  },
  useCase: listCategoryListings,
  handle: async ({ params, query, noteAudited }, run) => {
    const { listings, total } = await run(params.category_id, query)
    noteAudited({ total: String(total) })
    return listings
  },
})

const listListingsOperation = operation({
  name: 'List discovery listings',
  description:
    'Every approved listing in the order of ids, read a page at a time, and how many there were before the first.',
  route: 'GET /v1/admin/discovery/listings',
  callers: reviewing,
  bucket: listing,
  replies: { 200: pagedArray(discoveryListingSchema) },
  adminAudit: { action: 'list_discovery_listings', target: 'guild' },
  useCase: listDiscoveryListings,
  handle: async ({ noteAudited }, run) => {
    const { count, pages } = await run()
    noteAudited({ result_count: String(count) })
    return new PagedReply(pages)
  },
})

const moveListingsOperation = operation({
  name: 'Move discovery listings to a category',
  description: 'Moves pending and approved applications to a category, each for itself.',
  route: 'PATCH /v1/admin/discovery/listings',
  callers: reviewing,
  bucket: acting,
  body: movedListings,
  replies: { 200: moveResult },
  adminAudit: {
    action: 'update_discovery_categories',
    target: 'guild',
    metadata: ({ body }, { updated, failed_guild_ids: failed }) => ({
      category_type: String(body.category_type),
      guild_count: String(updated + failed.length),
      updated: String(updated),
      failed: String(failed.length),
    }),
  },
  useCase: moveDiscoveryListings,
  handle: ({ caller, body }, run) => run(caller, body.guild_ids, body.category_type),
})

const updateListingOperation = operation({
  name: 'Update discovery listing',
  description: 'Changes what a pending or approved application says, and nothing else.',
  route: 'PATCH /v1/admin/discovery/listings/:guild_id',
  callers: reviewing,
  bucket: acting,
  params: guildParams,
  body: listingChanges,
  replies: { 200: discoveryApplicationSchema },
  adminAudit: {
    action: 'update_discovery_listing',
    ...ofGuild,
    metadata: ({ body }, { status }) => ({
      status,
      ...(Object.keys(body).length === 0 ? {} : { fields: Object.keys(body).join(',') }),
      ...(body.category_type === undefined ? {} : { category_type: String(body.category_type) }),
      ...(body.primary_language === undefined ? {} : { primary_language: body.primary_language }),
    }),
  },
  refuses: ['DISCOVERY_APPLICATION_ALREADY_REVIEWED', 'DISCOVERY_APPLICATION_NOT_FOUND'],
  useCase: updateDiscoveryListing,
  handle: ({ caller, params: { guild_id: guildId }, body }, run) => run(caller, guildId, changesIn(body)),
})

const removeListingOperation = operation({
  name: 'Remove discovery listing',
  description: 'Takes an approved listing out of the directory.',
  route: 'DELETE /v1/admin/discovery/listings/:guild_id',
  callers: admin({ acls: ['discovery:remove'] }),
  bucket: acting,
  params: guildParams,
  body: removal,
  replies: { 200: discoveryApplicationSchema },
  adminAudit: { action: 'remove_discovery_listing', ...ofGuild },
  refuses: ['DISCOVERY_APPLICATION_NOT_FOUND', 'DISCOVERY_NOT_DISCOVERABLE'],
  useCase: removeDiscoveryListing,
  handle: ({ caller, params: { guild_id: guildId }, body }, run) => run(caller, guildId, body.reason),
})

/** The review of the guild directory. */
export const discoveryReviewOperations: readonly Operation[] = [
  listApplicationsOperation,
  reviewOperation,
  listCategoriesOperation,
  listCategoryListingsOperation,
  listListingsOperation,
  moveListingsOperation,
  updateListingOperation,
  removeListingOperation,
]
