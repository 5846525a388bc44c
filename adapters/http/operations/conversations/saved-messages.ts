import { z } from 'zod'
import {
  removeSavedMessage,
  saveMessage,
} from '../../../../application/conversations/saved-messages/change-saved-messages.ts'
import { listSavedMessages } from '../../../../application/conversations/saved-messages/list-saved-messages.ts'
import { savedMessageSchema } from '../../../../application/wire-objects/conversations/saved-message-objects.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { queryInteger } from '../../schemas/query-inputs.ts'
import { channelIdInput, messageIdInput } from '../../schemas/scalars.ts'

const write = perUser('user:saved_messages:write', { requests: 30, seconds: 10 })

const listSavedMessagesOperation = operation({
  name: 'List saved messages',
  description: 'The newest of the messages that the caller has saved.',
  route: 'GET /v1/users/@me/saved-messages',
  callers: accounts(),
  bucket: perUser('user:saved_messages:read', { requests: 40, seconds: 10 }),
  query: z.object({ limit: queryInteger({ min: 1, max: 100 }, 25) }),
  replies: { 200: z.array(savedMessageSchema).readonly() },
  refuses: [],
  useCase: listSavedMessages,
  handle: ({ caller, query }, run) => run(caller, query.limit),
})

const saveMessageOperation = operation({
  name: 'Save message',
  description: 'Saves a message for the caller alone.',
  route: 'POST /v1/users/@me/saved-messages',
  callers: accounts(),
  bucket: write,
  body: z.object({ channel_id: channelIdInput, message_id: messageIdInput }),
  keepsNoText: true,
  exampleBody: { channel_id: '1', message_id: '2' },
  replies: { 204: none },
  refuses: [
    'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
    'MAX_BOOKMARKS',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_MESSAGE',
  ],
  useCase: saveMessage,
  handle: ({ caller, body }, run) => run(caller, { channelId: body.channel_id, messageId: body.message_id }),
})

const removeSavedMessageOperation = operation({
  name: 'Delete saved message',
  description: 'Takes a message out of those that the caller has saved.',
  route: 'DELETE /v1/users/@me/saved-messages/:message_id',
  callers: accounts(),
  bucket: write,
  params: z.object({ message_id: messageIdInput }),
  replies: { 204: none },
  refuses: [],
  useCase: removeSavedMessage,
  handle: ({ caller, params }, run) => run(caller, params.message_id),
})

/** Messages that the caller has saved. */
export const savedMessageOperations: readonly Operation[] = [
  listSavedMessagesOperation,
  saveMessageOperation,
  removeSavedMessageOperation,
]
