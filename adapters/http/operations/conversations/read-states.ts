import { z } from 'zod'
import {
  acknowledgeMessage,
  acknowledgeMessages,
  acknowledgeTogether,
} from '../../../../application/conversations/read-states/acknowledge.ts'
import { acknowledgePins } from '../../../../application/conversations/read-states/acknowledge-pins.ts'
import { clearReadState } from '../../../../application/conversations/read-states/clear-read-state.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  acknowledgedTogether,
  acknowledgement,
  acknowledgements,
  readStateList,
} from '../../schemas/conversations/read-states.ts'
import { channelIdInput, messageIdInput } from '../../schemas/scalars.ts'
import { pinsBucket } from './pins.ts'

const channelParams = z.object({ channel_id: channelIdInput })
const bulkBucket = perUser('read_state:ack_bulk', { requests: 20, seconds: 10 })
const someReadStates = { read_states: [{ channel_id: '1', message_id: '2' }] }

const acknowledgeMessageOperation = operation({
  name: 'Acknowledge message',
  description: 'Says that the caller has read a channel up to a message.',
  route: 'POST /v1/channels/:channel_id/messages/:message_id/ack',
  callers: accounts(),
  bucket: perUserAnd('channel:message:ack::channel_id', 'channel_id', { requests: 100, seconds: 10 }),
  params: channelParams.extend({ message_id: messageIdInput }),
  body: acknowledgement,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [],
  useCase: acknowledgeMessage,
  handle: ({ caller, params, body }, run) =>
    run(caller, { channelId: params.channel_id, messageId: params.message_id, ...body }),
})

const clearReadStateOperation = operation({
  name: 'Clear read state',
  description: 'Forgets what the caller has read of a channel.',
  route: 'DELETE /v1/channels/:channel_id/messages/ack',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:read_state:delete::channel_id', 'channel_id', { requests: 40, seconds: 10 }),
  params: channelParams,
  replies: { 204: none },
  refuses: [],
  useCase: clearReadState,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const acknowledgeMessagesOperation = operation({
  name: 'Acknowledge messages',
  description: 'Says up to which messages the caller has read several channels, and gives what is read then.',
  route: 'POST /v1/read-states/ack',
  callers: accounts(),
  bucket: bulkBucket,
  body: acknowledgements,
  keepsNoText: true,
  exampleBody: someReadStates,
  replies: { 200: readStateList },
  refuses: [],
  useCase: acknowledgeMessages,
  handle: async ({ caller, body }, run) => ({ read_states: await run(caller, body) }),
})

const acknowledgeMessagesInBulkOperation = operation({
  name: 'Acknowledge messages in bulk',
  description: 'Says up to which messages the caller has read several channels, and that no mention there is unread.',
  route: 'POST /v1/read-states/ack-bulk',
  callers: accounts(),
  bucket: bulkBucket,
  body: acknowledgedTogether,
  keepsNoText: true,
  exampleBody: someReadStates,
  replies: { 204: none },
  refuses: [],
  useCase: acknowledgeTogether,
  handle: ({ caller, body }, run) => run(caller, body),
})

const acknowledgePinsOperation = operation({
  name: 'Acknowledge pins',
  description: 'Says that the caller has seen the last pin of a channel.',
  route: 'POST /v1/channels/:channel_id/pins/ack',
  callers: accounts({ bots: true }),
  bucket: pinsBucket,
  params: channelParams,
  replies: { 204: none },
  refuses: ['UNKNOWN_CHANNEL'],
  useCase: acknowledgePins,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

/** What accounts have read. */
export const readStateOperations: readonly Operation[] = [
  acknowledgeMessageOperation,
  clearReadStateOperation,
  acknowledgeMessagesOperation,
  acknowledgeMessagesInBulkOperation,
  acknowledgePinsOperation,
]
