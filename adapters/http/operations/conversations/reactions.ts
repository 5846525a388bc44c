import { addReaction } from '../../../../application/conversations/reactions/add-reaction.ts'
import { listReactors } from '../../../../application/conversations/reactions/list-reactions.ts'
import {
  removeAllReactions,
  removeOwnReaction,
  removeReaction,
  removeReactionsOfEmoji,
} from '../../../../application/conversations/reactions/remove-reactions.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { HeadedReply } from '../../headed-reply.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  actingSession,
  emojiParams,
  reactedParams,
  reactorList,
  reactorPage,
  reactorParams,
  reactorsQuery,
} from '../../schemas/conversations/reactions.ts'

const bucket = perUser('channel:reactions', { requests: 30, seconds: 10 })
const ofPlace = [
  'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
  'MISSING_ACCESS',
  'MISSING_PERMISSIONS',
  'UNKNOWN_CHANNEL',
] as const

const listReactionsOperation = operation({
  name: 'List reactions',
  description: 'The accounts that reacted to a message with an emoji, by their ids.',
  route: 'GET /v1/channels/:channel_id/messages/:message_id/reactions/:emoji',
  callers: accounts({ bots: true }),
  bucket,
  params: emojiParams,
  query: reactorsQuery,
  replies: { 200: reactorList },
  refuses: [...ofPlace, 'UNKNOWN_MESSAGE'],
  useCase: listReactors,
  handle: async ({ caller, params, query }, run) => {
    const { items, next } = await run(caller, { ...reactedIn(params), emoji: params.emoji, ...pageIn(query) })
    const more = next === null ? {} : { 'x-next-after': next }
    return new HeadedReply(items, { 'x-has-more': String(next !== null), ...more })
  },
})

const listReactionUsersOperation = operation({
  name: 'List reaction users',
  description: 'The same, with the cursor for the next page in the answer.',
  route: 'GET /v1/channels/:channel_id/messages/:message_id/reactions/:emoji/users',
  callers: accounts({ bots: true }),
  bucket,
  params: emojiParams,
  query: reactorsQuery,
  replies: { 200: reactorPage },
  refuses: [...ofPlace, 'UNKNOWN_MESSAGE'],
  useCase: listReactors,
  handle: async ({ caller, params, query }, run) => {
    const { items, next } = await run(caller, { ...reactedIn(params), emoji: params.emoji, ...pageIn(query) })
    return { items, has_more: next !== null, next_after: next }
  },
})

const addReactionOperation = operation({
  name: 'Add reaction',
  description: 'Reacts to a message with an emoji.',
  route: 'PUT /v1/channels/:channel_id/messages/:message_id/reactions/:emoji/@me',
  callers: accounts({ bots: true }),
  bucket,
  params: emojiParams,
  query: actingSession,
  replies: { 204: none },
  refuses: [
    ...ofPlace,
    'COMMUNICATION_DISABLED',
    'FEATURE_TEMPORARILY_DISABLED',
    'MAX_REACTIONS',
    'REACTION_EMAIL_VERIFICATION_REQUIRED',
    'UNCLAIMED_ACCOUNT_CANNOT_ADD_REACTIONS',
    'UNKNOWN_MESSAGE',
  ],
  useCase: addReaction,
  handle: ({ caller, params, query }, run) =>
    run(caller, { ...reactedIn(params), emoji: params.emoji, sessionId: query }),
})

const removeOwnReactionOperation = operation({
  name: 'Remove own reaction',
  description: "Takes back the caller's reaction.",
  route: 'DELETE /v1/channels/:channel_id/messages/:message_id/reactions/:emoji/@me',
  callers: accounts({ bots: true }),
  bucket,
  params: emojiParams,
  query: actingSession,
  replies: { 204: none },
  refuses: [...ofPlace, 'FEATURE_TEMPORARILY_DISABLED'],
  useCase: removeOwnReaction,
  handle: ({ caller, params, query }, run) =>
    run(caller, { ...reactedIn(params), emoji: params.emoji, sessionId: query }),
})

const removeReactionOperation = operation({
  name: 'Remove reaction',
  description: "Removes another account's reaction: from one's own message, or with MANAGE_MESSAGES.",
  route: 'DELETE /v1/channels/:channel_id/messages/:message_id/reactions/:emoji/:user_id',
  callers: accounts({ bots: true }),
  bucket,
  params: reactorParams,
  query: actingSession,
  replies: { 204: none },
  refuses: [...ofPlace, 'FEATURE_TEMPORARILY_DISABLED', 'TWO_FACTOR_REQUIRED'],
  useCase: removeReaction,
  handle: ({ caller, params, query }, run) =>
    run(caller, { ...reactedIn(params), emoji: params.emoji, accountId: params.user_id, sessionId: query }),
})

const removeReactionsOfEmojiOperation = operation({
  name: 'Remove reactions of emoji',
  description: "Removes all reactions with an emoji: from one's own message, or with MANAGE_MESSAGES.",
  route: 'DELETE /v1/channels/:channel_id/messages/:message_id/reactions/:emoji',
  callers: accounts({ bots: true }),
  bucket,
  params: emojiParams,
  replies: { 204: none },
  refuses: [...ofPlace, 'FEATURE_TEMPORARILY_DISABLED', 'TWO_FACTOR_REQUIRED'],
  useCase: removeReactionsOfEmoji,
  handle: ({ caller, params }, run) => run(caller, { ...reactedIn(params), emoji: params.emoji }),
})

const removeAllReactionsOperation = operation({
  name: 'Remove all reactions',
  description: "Removes all reactions: from one's own message, or with MANAGE_MESSAGES.",
  route: 'DELETE /v1/channels/:channel_id/messages/:message_id/reactions',
  callers: accounts({ bots: true }),
  bucket,
  params: reactedParams,
  replies: { 204: none },
  refuses: [...ofPlace, 'FEATURE_TEMPORARILY_DISABLED', 'TWO_FACTOR_REQUIRED'],
  useCase: removeAllReactions,
  handle: ({ caller, params }, run) => run(caller, reactedIn(params)),
})

function reactedIn({ channel_id: channelId, message_id: messageId }: typeof reactedParams._output) {
  return { channelId, messageId }
}

function pageIn({ limit, after }: typeof reactorsQuery._output) {
  return { limit, after }
}

/** Reactions to messages. */
export const reactionOperations: readonly Operation[] = [
  listReactionsOperation,
  listReactionUsersOperation,
  addReactionOperation,
  removeOwnReactionOperation,
  removeReactionOperation,
  removeReactionsOfEmojiOperation,
  removeAllReactionsOperation,
]
