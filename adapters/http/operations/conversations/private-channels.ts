import { z } from 'zod'
import { createGroup } from '../../../../application/conversations/private-channels/create-group.ts'
import { openDirectChannel } from '../../../../application/conversations/private-channels/open-direct-channel.ts'
import {
  addRecipient,
  removeRecipient,
} from '../../../../application/conversations/private-channels/change-recipients.ts'
import { listPrivateChannels } from '../../../../application/conversations/private-channels/list-private-channels.ts'
import { accounts } from '../../callers.ts'
import { perUser, perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { privateChannelWishes } from '../../schemas/conversations/private-channels.ts'
import { queryBoolean } from '../../schemas/query-inputs.ts'
import { accountIdInput, channelIdInput } from '../../schemas/scalars.ts'
import { privateChannelSchema } from '../../../../application/wire-objects/conversations/private-channel-objects.ts'

const listPrivateChannelsOperation = operation({
  name: 'List private channels',
  description: "The caller's open private channels: its groups, and the direct messages that it has not closed.",
  route: 'GET /v1/users/@me/channels',
  callers: accounts({ bots: true }),
  bucket: perUser('user:channels', { requests: 40, seconds: 10 }),
  replies: { 200: z.array(privateChannelSchema).readonly() },
  useCase: listPrivateChannels,
  handle: ({ caller }, run) => run(caller),
})

const createPrivateChannelOperation = operation({
  name: 'Create private channel',
  description: 'Opens the direct message with an account, or creates a group.',
  route: 'POST /v1/users/@me/channels',
  callers: accounts({ bots: true }),
  bucket: perUser('user:channels', { requests: 40, seconds: 10 }),
  body: privateChannelWishes,
  exampleBody: { recipient_id: '1500000000000000000' },
  keepsNoText: true,
  replies: { 200: privateChannelSchema },
  refuses: [
    'DIRECT_MESSAGES_DISABLED',
    'GROUP_DM_RECIPIENTS_NOT_ADDABLE',
    'MAX_GROUP_DMS',
    'MAX_GROUP_DM_RECIPIENTS',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_USER',
  ],
  useCase: (ports) => ({ openDirect: openDirectChannel(ports), createGroup: createGroup(ports) }),
  handle: ({ caller, body }, run) =>
    body.kind === 'direct' ? run.openDirect(caller, body.recipient) : run.createGroup(caller, body.recipients),
})

const recipientParams = z.object({ channel_id: channelIdInput, user_id: accountIdInput })

const addRecipientOperation = operation({
  name: 'Add group recipient',
  description: 'Adds a friend to a group; does nothing if it is a recipient already.',
  route: 'PUT /v1/channels/:channel_id/recipients/:user_id',
  callers: accounts(),
  bucket: perUserAnd('channel:update::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: recipientParams,
  replies: { 204: none },
  refuses: [
    'DIRECT_MESSAGES_DISABLED',
    'GROUP_DM_RECIPIENTS_NOT_ADDABLE',
    'INVALID_CHANNEL_TYPE',
    'MAX_GROUP_DMS',
    'MAX_GROUP_DM_RECIPIENTS',
    'MISSING_ACCESS',
    'NOT_FRIENDS_WITH_USER',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_USER',
  ],
  useCase: addRecipient,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.user_id),
})

const removeRecipientOperation = operation({
  name: 'Remove group recipient',
  description: 'Removes a recipient from a group, or lets the caller leave it.',
  route: 'DELETE /v1/channels/:channel_id/recipients/:user_id',
  callers: accounts(),
  bucket: perUserAnd('channel:update::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: recipientParams,
  query: z.object({ silent: queryBoolean }),
  replies: { 204: none },
  refuses: ['INVALID_CHANNEL_TYPE', 'MISSING_ACCESS', 'MISSING_PERMISSIONS', 'UNKNOWN_CHANNEL'],
  useCase: removeRecipient,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, params.user_id, query.silent),
})

/** Direct messages and groups. Operations that they share with guild channels are in ../communities/any-channel.ts. */
export const privateChannelOperations: readonly Operation[] = [
  listPrivateChannelsOperation,
  createPrivateChannelOperation,
  addRecipientOperation,
  removeRecipientOperation,
]
