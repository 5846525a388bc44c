import { z } from 'zod'
import { accounts, bots } from '../../callers.js'
import { perUserAnd } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import {
  threadMemberQuery,
  threadMemberSettings,
  threadMembersPage,
} from '../../schemas/conversations/thread-inputs.js'
import { threadMember } from '../../schemas/conversations/thread-outputs.js'
import { accountIdInput, channelIdInput } from '../../schemas/scalars.js'
import { ofChannel } from '../refusals-of-places.js'

const threadParams = z.object({ channel_id: channelIdInput })
const memberParams = z.object({ channel_id: channelIdInput, user_id: accountIdInput })
const putting = perUserAnd('channel:thread:member:put::channel_id', 'channel_id', { requests: 10, seconds: 10 })
const deleting = perUserAnd('channel:thread:member:delete::channel_id', 'channel_id', { requests: 10, seconds: 10 })

export const joinThreadOperation = operation({
  name: 'Join thread',
  route: 'PUT /v1/channels/:channel_id/thread-members/@me',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: putting,
  params: threadParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'COMMUNICATION_DISABLED',
    'MAX_THREAD_MEMBERS',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_MEMBER',
  ],
  handle: ({ caller, params }, { threads }) => threads.join(caller, params.channel_id),
})

export const addThreadMemberOperation = operation({
  name: 'Add thread member',
  route: 'PUT /v1/channels/:channel_id/thread-members/:user_id',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: putting,
  params: memberParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'COMMUNICATION_DISABLED',
    'MAX_THREAD_MEMBERS',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_MEMBER',
  ],
  handle: ({ caller, params }, { threads }) => threads.addMember(caller, params.channel_id, params.user_id),
})

export const leaveThreadOperation = operation({
  name: 'Leave thread',
  route: 'DELETE /v1/channels/:channel_id/thread-members/@me',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: deleting,
  params: threadParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [
    'COMMUNICATION_DISABLED',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'THREAD_ARCHIVED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_THREAD_MEMBER',
  ],
  handle: ({ caller, params }, { threads }) => threads.leave(caller, params.channel_id),
})

export const removeThreadMemberOperation = operation({
  name: 'Remove thread member',
  route: 'DELETE /v1/channels/:channel_id/thread-members/:user_id',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: deleting,
  params: memberParams,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: [...ofChannel, 'COMMUNICATION_DISABLED', 'THREAD_ARCHIVED', 'UNKNOWN_THREAD_MEMBER'],
  handle: ({ caller, params }, { threads }) => threads.removeMember(caller, params.channel_id, params.user_id),
})

export const getThreadMemberOperation = operation({
  name: 'Get thread member',
  route: 'GET /v1/channels/:channel_id/thread-members/:user_id',
  callers: bots(),
  needsThreads: true,
  bucket: perUserAnd('channel:thread:member:get::channel_id', 'channel_id', { requests: 40, seconds: 10 }),
  params: memberParams,
  query: threadMemberQuery,
  body: none,
  replies: { 200: threadMember },
  refuses: [
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_THREAD_MEMBER',
  ],
  handle: ({ caller, params, query }, { threads }) =>
    threads.getMember(caller, params.channel_id, params.user_id, query.withMember),
})

export const listThreadMembersOperation = operation({
  name: 'List thread members',
  route: 'GET /v1/channels/:channel_id/thread-members',
  callers: bots(),
  needsThreads: true,
  bucket: perUserAnd('channel:thread:member:list::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: threadParams,
  query: threadMembersPage,
  body: none,
  replies: { 200: z.array(threadMember).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'NSFW_CONTENT_AGE_RESTRICTED', 'UNKNOWN_CHANNEL'],
  handle: ({ caller, params, query }, { threads }) => threads.listMembers(caller, params.channel_id, query),
})

export const changeOwnThreadSettingsOperation = operation({
  name: 'Modify own thread settings',
  route: 'PATCH /v1/channels/:channel_id/thread-members/@me/settings',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: perUserAnd('channel:thread:member:settings::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: threadParams,
  query: none,
  body: threadMemberSettings,
  keepsNoText: true,
  replies: { 200: threadMember },
  refuses: [
    'COMMUNICATION_DISABLED',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_THREAD_MEMBER',
  ],
  handle: ({ caller, params, body }, { threads }) => threads.changeOwnSettings(caller, params.channel_id, body),
})
