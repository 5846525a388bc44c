import { z } from 'zod'
import { pinMessage, unpinMessage } from '../../../../application/conversations/pins/change-pin.ts'
import { listPinnedMessages, listPins } from '../../../../application/conversations/pins/list-pins.ts'
import { messageSchema } from '../../../../application/wire-objects/conversations/message-objects.ts'
import { pinListSchema } from '../../../../application/wire-objects/conversations/pin-objects.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { queryInteger } from '../../schemas/query-inputs.ts'
import { channelIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { timestampInput } from '../../schemas/timestamps.ts'

const page_max = 50
export const pinsBucket = perUser('channel:pins', { requests: 20, seconds: 10 })
const pinParams = z.object({ channel_id: channelIdInput, message_id: messageIdInput })
const refusedToPinning = [
  'CANNOT_MODIFY_SYSTEM_WEBHOOK',
  'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
  'CANNOT_SEND_MESSAGES_TO_USER',
  'DIRECT_MESSAGES_DISABLED',
  'FEATURE_TEMPORARILY_DISABLED',
  'MISSING_ACCESS',
  'MISSING_PERMISSIONS',
  'UNKNOWN_CHANNEL',
  'UNKNOWN_MESSAGE',
] as const

const refusedToReading = [
  'CANNOT_SEND_MESSAGES_IN_NON_TEXT_CHANNEL',
  'MISSING_ACCESS',
  'MISSING_PERMISSIONS',
  'NSFW_CONTENT_AGE_RESTRICTED',
  'UNKNOWN_CHANNEL',
] as const

const listPinsOperation = operation({
  name: 'List pinned messages',
  description: "A page of a channel's pinned messages, the last pinned first.",
  route: 'GET /v1/channels/:channel_id/messages/pins',
  callers: accounts({ bots: true }),
  bucket: pinsBucket,
  params: z.object({ channel_id: channelIdInput }),
  query: z
    .object({ before: timestampInput.optional(), limit: queryInteger({ min: 1, max: page_max }, page_max) })
    .transform(({ before, limit }) => ({ limit, ...(before === undefined ? {} : { before }) })),
  replies: { 200: pinListSchema },
  refuses: refusedToReading,
  useCase: listPins,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

const listPinnedMessagesOperation = operation({
  name: 'List last pinned messages',
  description:
    'The 50 messages of a channel that were pinned last, the last pinned first, for clients that know no pages.',
  route: 'GET /v1/channels/:channel_id/pins',
  callers: accounts({ bots: true }),
  bucket: pinsBucket,
  params: z.object({ channel_id: channelIdInput }),
  replies: { 200: z.array(messageSchema).readonly() },
  refuses: refusedToReading,
  useCase: listPinnedMessages,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const pinMessageOperation = operation({
  name: 'Pin message',
  description: 'Pins a message, and says so in the channel.',
  route: 'PUT /v1/channels/:channel_id/pins/:message_id',
  callers: accounts({ bots: true }),
  bucket: pinsBucket,
  params: pinParams,
  replies: { 204: none },
  refuses: refusedToPinning,
  useCase: pinMessage,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id),
})

const unpinMessageOperation = operation({
  name: 'Unpin message',
  description: 'Unpins a message.',
  route: 'DELETE /v1/channels/:channel_id/pins/:message_id',
  callers: accounts({ bots: true }),
  bucket: pinsBucket,
  params: pinParams,
  replies: { 204: none },
  refuses: refusedToPinning,
  useCase: unpinMessage,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.message_id),
})

/** Pinned messages in any channel. */
export const pinOperations: readonly Operation[] = [
  listPinsOperation,
  listPinnedMessagesOperation,
  pinMessageOperation,
  unpinMessageOperation,
]
