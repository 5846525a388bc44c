import type { ExpressionQueries } from '../../../application/ports/queries/expression-queries.ts'
import type { RelationshipQueries } from '../../../application/ports/queries/relationship-queries.ts'
import type { WebhookQueries } from '../../../application/ports/queries/webhook-queries.ts'
import { noExpressions } from '../../../domain/guild-expressions/state.ts'

/** Emojis and stickers are tested with Postgres. */
export const noGuildExpressions: ExpressionQueries = {
  ofGuild: async () => noExpressions,
  emojis: async () => [],
  stickers: async () => [],
  imageOf: async () => undefined,
}

/** Webhooks are tested with Postgres. */
export const noWebhooks: WebhookQueries = {
  find: async () => undefined,
  findMany: async () => [],
  ofChannel: async () => [],
  ofGuild: async () => [],
  createdBy: async () => [],
  following: async () => [],
  countOfChannel: async () => 0,
  countOfGuild: async () => 0,
}

/** Nobody has relationships. */
export const noRelationships: RelationshipQueries = {
  find: async () => undefined,
  among: async () => [],
  ofAccount: async () => [],
  countOf: async () => 0,
  haveMutualFriend: async () => false,
  mutualFriends: async () => [],
  ownersWith: async () => [],
}
