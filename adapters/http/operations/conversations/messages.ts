import { z } from 'zod'
import { bulkDeleteMessages } from '../../../../application/conversations/messages/bulk-delete-messages.ts'
import { createMessage } from '../../../../application/conversations/messages/create-message.ts'
import { deleteMessage } from '../../../../application/conversations/messages/delete-message.ts'
import { deleteOwnMessages } from '../../../../application/conversations/messages/delete-own-messages.ts'
import { editMessage } from '../../../../application/conversations/messages/edit-message.ts'
import { getMessage, listMessages } from '../../../../application/conversations/messages/read-messages.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  bulkDeletion,
  editedMessage,
  messageDataFault,
  messagesPage,
  sentMessage,
} from '../../schemas/conversations/message-inputs.ts'
import { messageList } from '../../schemas/conversations/messages.ts'
import { channelIdInput, guildIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { alwaysSudo } from '../../sudo.ts'
import { ofChannel } from '../refusals-of-access.ts'
import { messageSchema } from '../../../../application/wire-objects/conversations/message-objects.ts'

const channelParams = z.object({ channel_id: channelIdInput })
const messageParams = z.object({ channel_id: channelIdInput, message_id: messageIdInput })

const listMessagesOperation = operation({
  name: 'List messages',
  description: "A page of a channel's messages, the newest first.",
  route: 'GET /v1/channels/:channel_id/messages',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:messages:read::channel_id', 'channel_id', { requests: 100, seconds: 10 }),
  params: channelParams,
  query: messagesPage,
  replies: { 200: messageList },
  refuses: [
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
  ],
  useCase: listMessages,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

const getMessageOperation = operation({
  name: 'Get message',
  description: 'Gives one message.',
  route: 'GET /v1/channels/:channel_id/messages/:message_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:read::channel_id', 'channel_id', { requests: 100, seconds: 10 }),
  params: messageParams,
  replies: { 200: messageSchema },
  refuses: [
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_MESSAGE',
  ],
  useCase: getMessage,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id),
})

const createMessageOperation = operation({
  name: 'Create message',
  description: 'Sends a message.',
  route: 'POST /v1/channels/:channel_id/messages',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:create::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: channelParams,
  body: sentMessage,
  exampleBody: { content: 'Hello' },
  takesFiles: true,
  keepsNoAnswer: true,
  bodyFault: messageDataFault,
  replies: { 200: messageSchema },
  refuses: [
    'CANNOT_SEND_EMPTY_MESSAGE',
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'CANNOT_SEND_MESSAGES_TO_USER',
    'COMMUNICATION_DISABLED',
    'DIRECT_MESSAGES_DISABLED',
    'FEATURE_TEMPORARILY_DISABLED',
    'FILE_SIZE_TOO_LARGE',
    'GONE',
    'GUILD_VERIFICATION_REQUIRED',
    'MAX_ACTIVE_THREADS',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'RESOURCE_LOCKED',
    'SLOWMODE_RATE_LIMITED',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNCLAIMED_ACCOUNT_CANNOT_SEND_MESSAGES',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_MESSAGE',
  ],
  useCase: createMessage,
  handle: ({ caller, params, body, files }, run) => run(caller, params.channel_id, { ...body, files }),
})

const editMessageOperation = operation({
  name: 'Modify message',
  description: 'Edits a message.',
  route: 'PATCH /v1/channels/:channel_id/messages/:message_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:update::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: messageParams,
  body: editedMessage,
  exampleBody: { content: 'Hello again' },
  takesFiles: true,
  bodyFault: messageDataFault,
  replies: { 200: messageSchema },
  refuses: [
    ...ofChannel,
    'CANNOT_EDIT_OTHER_USER_MESSAGE',
    'CANNOT_MODIFY_SYSTEM_WEBHOOK',
    'CANNOT_SEND_EMPTY_MESSAGE',
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'CANNOT_SEND_MESSAGES_TO_USER',
    'COMMUNICATION_DISABLED',
    'DIRECT_MESSAGES_DISABLED',
    'FEATURE_TEMPORARILY_DISABLED',
    'FILE_SIZE_TOO_LARGE',
    'PUBLISHED_MESSAGE_EDIT_RATE_LIMITED',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_MESSAGE',
  ],
  useCase: editMessage,
  handle: ({ caller, params, body, files }, run) =>
    run(caller, params.channel_id, params.message_id, { ...body, files }),
})

const deleteMessageOperation = operation({
  name: 'Delete message',
  description: "Deletes a message for good: the caller's own, or another's with MANAGE_MESSAGES.",
  route: 'DELETE /v1/channels/:channel_id/messages/:message_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:delete::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: messageParams,
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'FEATURE_TEMPORARILY_DISABLED',
    'UNKNOWN_MESSAGE',
  ],
  useCase: deleteMessage,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id),
})

const bulkDeleteMessagesOperation = operation({
  name: 'Bulk delete messages',
  description: 'Permanently deletes up to 100 messages of a guild channel.',
  route: 'POST /v1/channels/:channel_id/messages/bulk-delete',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:message:bulk_delete::channel_id', 'channel_id', { requests: 10, seconds: 10 }),
  params: channelParams,
  body: bulkDeletion,
  exampleBody: { message_ids: ['1500000000000000000'] },
  keepsNoText: true,
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'CANNOT_EXECUTE_ON_DM',
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'FEATURE_TEMPORARILY_DISABLED',
  ],
  useCase: bulkDeleteMessages,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body),
})

const deleteOwnMessagesOperation = operation({
  name: "Bulk delete current user's guild messages",
  description: 'Permanently deletes every message that the caller wrote in a guild, in all channels and threads.',
  route: 'POST /v1/users/@me/guilds/:guild_id/messages/bulk-delete-mine',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('guild:leave::guild_id', 'guild_id', { requests: 10, seconds: 10 }),
  params: z.object({ guild_id: guildIdInput }),
  sudo: alwaysSudo,
  replies: { 202: none },
  refuses: ['MISSING_PERMISSIONS', 'UNKNOWN_GUILD'],
  useCase: deleteOwnMessages,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

/** Messages in any channel. */
export const messageOperations: readonly Operation[] = [
  listMessagesOperation,
  createMessageOperation,
  bulkDeleteMessagesOperation,
  getMessageOperation,
  editMessageOperation,
  deleteMessageOperation,
  deleteOwnMessagesOperation,
]
