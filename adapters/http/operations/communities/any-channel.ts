import { z } from 'zod'
import {
  changeChannel,
  deleteChannel,
  readChannel,
} from '../../../../application/communities/channels/channel-kinds.ts'
import { removeOverwrite, setOverwrite } from '../../../../application/communities/channels/overwrites.ts'
import { accounts } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { anyChannel } from '../../schemas/communities/any-channel/any-channel.ts'
import { channelBody } from '../../schemas/communities/any-channel/channel-body.ts'
import { overwriteIdInput, overwriteWish } from '../../schemas/communities/channel-inputs.ts'
import { queryBoolean } from '../../schemas/query-inputs.ts'
import { channelIdInput } from '../../schemas/scalars.ts'
import { sudoOnDemand } from '../../sudo.ts'
import { ofChannel, ofGuild } from '../refusals-of-access.ts'

/** Operations on one channel of any kind, and on the overwrites of a guild channel. */

const channelParams = z.object({ channel_id: channelIdInput })
const overwriteParams = z.object({ channel_id: channelIdInput, overwrite_id: overwriteIdInput })
const changes = perUserAnd('channel:update::channel_id', 'channel_id', { requests: 20, seconds: 10 })

const readChannelOperation = operation({
  name: 'Get channel',
  description: 'Gives a channel as its caller sees it.',
  route: 'GET /v1/channels/:channel_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:read::channel_id', 'channel_id', { requests: 100, seconds: 10 }),
  params: channelParams,
  replies: { 200: anyChannel },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'NSFW_CONTENT_AGE_RESTRICTED', 'UNKNOWN_CHANNEL'],
  useCase: readChannel,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const changeChannelOperation = operation({
  name: 'Modify channel',
  description: 'Changes a channel.',
  route: 'PATCH /v1/channels/:channel_id',
  callers: accounts({ bots: true }),
  bucket: changes,
  params: channelParams,
  body: channelBody,
  exampleBody: { name: 'engine' },
  takesImage: true,
  replies: { 200: anyChannel },
  refuses: [
    'CHANNEL_HAS_FOLLOWED_CHANNELS',
    'CHANNEL_TYPE_CONVERSION_NOT_SUPPORTED',
    ...ofChannel,
    'COMMUNICATION_DISABLED',
    'INVALID_CHANNEL_TYPE',
    'MAX_ACTIVE_THREADS',
    'MAX_CATEGORY_CHANNELS',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_GUILD',
  ],
  useCase: changeChannel,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body),
})

const deleteChannelOperation = operation({
  name: 'Delete channel',
  description: 'Deletes a channel, leaves a group, or closes a direct message.',
  route: 'DELETE /v1/channels/:channel_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('channel:delete::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: channelParams,
  query: z.object({ silent: queryBoolean, delete_messages: queryBoolean }),
  sudo: sudoOnDemand,
  replies: { 204: none },
  refuses: [...ofChannel, 'CANNOT_EXECUTE_ON_DM', 'COMMUNICATION_DISABLED', 'CONFLICT', 'UNKNOWN_GUILD'],
  useCase: deleteChannel,
  handle: ({ caller, params, query: { silent, delete_messages: deleteMessages }, proveSudo }, run) =>
    run(caller, params.channel_id, { silent, deleteMessages, proveSudo }),
})

const setOverwriteOperation = operation({
  name: 'Set channel permission overwrite',
  description: 'Sets what a role or a member may do in a channel.',
  route: 'PUT /v1/channels/:channel_id/permissions/:overwrite_id',
  callers: accounts({ bots: true }),
  bucket: changes,
  params: overwriteParams,
  body: overwriteWish,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_CHANNEL', 'UNKNOWN_ROLE'],
  useCase: setOverwrite,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, { id: params.overwrite_id, ...body }),
})

const removeOverwriteOperation = operation({
  name: 'Delete channel permission overwrite',
  description: 'Removes what a channel sets for a role or a member.',
  route: 'DELETE /v1/channels/:channel_id/permissions/:overwrite_id',
  callers: accounts({ bots: true }),
  bucket: changes,
  params: overwriteParams,
  replies: { 204: none },
  refuses: [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_CHANNEL'],
  useCase: removeOverwrite,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.overwrite_id),
})

/** One channel of any kind, and the overwrites of a guild channel. */
export const channelOperations: readonly Operation[] = [
  readChannelOperation,
  changeChannelOperation,
  deleteChannelOperation,
  setOverwriteOperation,
  removeOverwriteOperation,
]
