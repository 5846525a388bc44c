import {
  claimApplication,
  listReviewQueue,
  releaseApplication,
} from '../../../../application/administration/discovery/review-queue.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { cursorOf, queueQuery, reviewQueue } from '../../schemas/administration/discovery-queue.ts'
import { acting, guildParams, listing, ofGuild, reviewing } from './discovery.ts'
import { claimSchema } from '../../../../application/wire-objects/administration/review-queue-objects.ts'

/** The queue of the guild directory's reviewers (rules/directory#review). */

const listQueueOperation = operation({
  name: 'List discovery review queue',
  description:
    'A page of the applications that wait, the longest waiting first, with what reviewers need to know of each.',
  route: 'GET /v1/admin/discovery/queue',
  callers: reviewing,
  bucket: listing,
  query: queueQuery,
  replies: { 200: reviewQueue },
  adminAudit: {
    action: 'list_discovery_review_queue',
    target: 'guild',
    metadata: ({ query }, { applications }) => ({
      limit: String(query.limit),
      result_count: String(applications.length),
    }),
  },
  useCase: listReviewQueue,
  handle: async ({ caller, query: { limit, cursor } }, run) => {
    const { applications, next } = await run(caller, limit, cursor)
    return { applications, next_cursor: next ? cursorOf(next) : null }
  },
})

const claimOperation = operation({
  name: 'Claim discovery application',
  description: 'Tells others that the caller reviews an application, for 15 minutes.',
  route: 'PUT /v1/admin/discovery/applications/:guild_id/claim',
  callers: reviewing,
  bucket: acting,
  params: guildParams,
  replies: { 200: claimSchema },
  adminAudit: { action: 'claim_discovery_application', ...ofGuild },
  refuses: ['DISCOVERY_APPLICATION_ALREADY_REVIEWED', 'DISCOVERY_APPLICATION_NOT_FOUND'],
  useCase: claimApplication,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller, guildId),
})

const releaseOperation = operation({
  name: 'Release discovery application',
  description: "Ends the caller's own claim, if there is one.",
  route: 'DELETE /v1/admin/discovery/applications/:guild_id/claim',
  callers: reviewing,
  bucket: acting,
  params: guildParams,
  replies: { 204: none },
  adminAudit: { action: 'release_discovery_application', ...ofGuild },
  useCase: releaseApplication,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller, guildId),
})

export const discoveryQueueOperations: readonly Operation[] = [listQueueOperation, claimOperation, releaseOperation]
