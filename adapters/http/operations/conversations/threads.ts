import { z } from 'zod'
import {
  listActiveThreads,
  listOwnPrivateArchivedThreads,
  listPrivateArchivedThreads,
  listPublicArchivedThreads,
  searchThreads,
} from '../../../../application/conversations/threads/list-threads.ts'
import { startThread, startThreadFromMessage } from '../../../../application/conversations/threads/start-thread.ts'
import { accounts, bots } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  archivedPage,
  freeThreadWishes,
  ownArchivedPage,
  threadSearch,
  threadWishes,
} from '../../schemas/conversations/thread-inputs.ts'
import { activeThreads, foundThreads, threadPage } from '../../schemas/conversations/thread-outputs.ts'
import { channelIdInput, guildIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { ofChannel } from '../refusals-of-access.ts'
import { threadSchema } from '../../../../application/wire-objects/conversations/thread-objects.ts'

const channelParams = z.object({ channel_id: channelIdInput })
const creating = perUserAnd('channel:thread:create::channel_id', 'channel_id', { requests: 10, seconds: 10 })
const listing = perUserAnd('channel:threads:archived:list::channel_id', 'channel_id', { requests: 20, seconds: 10 })

const startThreadFromMessageOperation = operation({
  name: 'Start thread from message',
  description: "Starts a thread from a message; the thread has the message's id.",
  route: 'POST /v1/channels/:channel_id/messages/:message_id/threads',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: creating,
  params: z.object({ channel_id: channelIdInput, message_id: messageIdInput }),
  body: threadWishes,
  replies: { 201: threadSchema },
  refuses: [
    ...ofChannel,
    'COMMUNICATION_DISABLED',
    'INVALID_CHANNEL_TYPE',
    'MAX_ACTIVE_THREADS',
    'SLOWMODE_RATE_LIMITED',
    'THREAD_ALREADY_CREATED_FOR_MESSAGE',
    'UNKNOWN_MESSAGE',
  ],
  useCase: startThreadFromMessage,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, params.message_id, body),
})

const startThreadOperation = operation({
  name: 'Start thread',
  description: 'Starts a thread without a message; a message of type 18 in the channel announces a public one.',
  route: 'POST /v1/channels/:channel_id/threads',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: creating,
  params: channelParams,
  body: freeThreadWishes,
  exampleBody: { name: 'Engine', type: 11 },
  replies: { 201: threadSchema },
  refuses: [
    ...ofChannel,
    'CANNOT_SEND_EMPTY_MESSAGE',
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'CANNOT_SEND_MESSAGES_TO_USER',
    'COMMUNICATION_DISABLED',
    'DIRECT_MESSAGES_DISABLED',
    'FEATURE_TEMPORARILY_DISABLED',
    'GUILD_VERIFICATION_REQUIRED',
    'INVALID_CHANNEL_TYPE',
    'MAX_ACTIVE_THREADS',
    'SLOWMODE_RATE_LIMITED',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES',
    'UNKNOWN_MESSAGE',
  ],
  useCase: startThread,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body),
})

const listActiveThreadsOperation = operation({
  name: 'List active threads',
  description: 'The active threads of a guild that a bot can view.',
  route: 'GET /v1/guilds/:guild_id/threads/active',
  callers: bots(),
  needsThreads: true,
  bucket: perUserAnd('guild:threads:active::guild_id', 'guild_id', { requests: 5, seconds: 10 }),
  params: z.object({ guild_id: guildIdInput }),
  replies: { 200: activeThreads },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: listActiveThreads,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const listPublicArchivedThreadsOperation = operation({
  name: 'List public archived threads',
  description: 'Archived threads of a channel that are not private, last archived first.',
  route: 'GET /v1/channels/:channel_id/threads/archived/public',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: listing,
  params: channelParams,
  query: archivedPage,
  replies: { 200: threadPage },
  refuses: [...ofChannel, 'INVALID_CHANNEL_TYPE'],
  useCase: listPublicArchivedThreads,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

const listPrivateArchivedThreadsOperation = operation({
  name: 'List private archived threads',
  description: 'The archived private threads of a channel, last archived first.',
  route: 'GET /v1/channels/:channel_id/threads/archived/private',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: listing,
  params: channelParams,
  query: archivedPage,
  replies: { 200: threadPage },
  refuses: [...ofChannel, 'COMMUNICATION_DISABLED', 'INVALID_CHANNEL_TYPE'],
  useCase: listPrivateArchivedThreads,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

const listOwnPrivateArchivedThreadsOperation = operation({
  name: 'List joined private archived threads',
  description: 'The archived private threads that the caller has joined, newest first.',
  route: 'GET /v1/channels/:channel_id/users/@me/threads/archived/private',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: listing,
  params: channelParams,
  query: ownArchivedPage,
  replies: { 200: threadPage },
  refuses: [...ofChannel, 'INVALID_CHANNEL_TYPE'],
  useCase: listOwnPrivateArchivedThreads,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

const searchThreadsOperation = operation({
  name: 'Search threads',
  description: "Searches a channel's threads by a part of the name.",
  route: 'GET /v1/channels/:channel_id/threads/search',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: perUserAnd('channel:threads:search::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: channelParams,
  query: threadSearch,
  replies: { 200: foundThreads },
  refuses: [...ofChannel, 'INVALID_CHANNEL_TYPE'],
  useCase: searchThreads,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

/** Threads. The operations on any channel read, modify and delete them. */
export const threadOperations: readonly Operation[] = [
  startThreadFromMessageOperation,
  startThreadOperation,
  listActiveThreadsOperation,
  listPublicArchivedThreadsOperation,
  listPrivateArchivedThreadsOperation,
  listOwnPrivateArchivedThreadsOperation,
  searchThreadsOperation,
]
