import { z } from 'zod'
import {
  addThreadMember,
  changeOwnThreadSettings,
  getThreadMember,
  joinThread,
  leaveThread,
  listThreadMembers,
  removeThreadMember,
} from '../../../../application/conversations/threads/thread-members.ts'
import { accounts, bots } from '../../callers.ts'
import { perUserAnd } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  threadMemberQuery,
  threadMemberSettings,
  threadMembersPage,
} from '../../schemas/conversations/thread-inputs.ts'
import { accountIdInput, channelIdInput } from '../../schemas/scalars.ts'
import { ofChannel } from '../refusals-of-access.ts'
import { threadMemberSchema } from '../../../../application/wire-objects/conversations/thread-objects.ts'

const threadParams = z.object({ channel_id: channelIdInput })
const memberParams = z.object({ channel_id: channelIdInput, user_id: accountIdInput })
const putting = perUserAnd('channel:thread:member:put::channel_id', 'channel_id', { requests: 10, seconds: 10 })
const deleting = perUserAnd('channel:thread:member:delete::channel_id', 'channel_id', { requests: 10, seconds: 10 })

const joinThreadOperation = operation({
  name: 'Join thread',
  description: 'Makes the caller a member of a thread that it can view.',
  route: 'PUT /v1/channels/:channel_id/thread-members/@me',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: putting,
  params: threadParams,
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'COMMUNICATION_DISABLED',
    'MAX_THREAD_MEMBERS',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_MEMBER',
  ],
  useCase: joinThread,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const addThreadMemberOperation = operation({
  name: 'Add thread member',
  description: 'Makes another guild member a member of a thread, announced in it by a message of type 1.',
  route: 'PUT /v1/channels/:channel_id/thread-members/:user_id',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: putting,
  params: memberParams,
  replies: { 204: none },
  refuses: [
    ...ofChannel,
    'COMMUNICATION_DISABLED',
    'MAX_THREAD_MEMBERS',
    'THREAD_ARCHIVED',
    'THREAD_LOCKED',
    'UNKNOWN_MEMBER',
  ],
  useCase: addThreadMember,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.user_id),
})

const leaveThreadOperation = operation({
  name: 'Leave thread',
  description: "Ends the caller's membership of a thread.",
  route: 'DELETE /v1/channels/:channel_id/thread-members/@me',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: deleting,
  params: threadParams,
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
  useCase: leaveThread,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const removeThreadMemberOperation = operation({
  name: 'Remove thread member',
  description: "Ends another account's membership of a thread, announced in it by a message of type 2.",
  route: 'DELETE /v1/channels/:channel_id/thread-members/:user_id',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: deleting,
  params: memberParams,
  replies: { 204: none },
  refuses: [...ofChannel, 'COMMUNICATION_DISABLED', 'THREAD_ARCHIVED', 'UNKNOWN_THREAD_MEMBER'],
  useCase: removeThreadMember,
  handle: ({ caller, params }, run) => run(caller, params.channel_id, params.user_id),
})

const getThreadMemberOperation = operation({
  name: 'Get thread member',
  description: 'One membership of a thread, for bots.',
  route: 'GET /v1/channels/:channel_id/thread-members/:user_id',
  callers: bots(),
  needsThreads: true,
  bucket: perUserAnd('channel:thread:member:get::channel_id', 'channel_id', { requests: 40, seconds: 10 }),
  params: memberParams,
  query: threadMemberQuery,
  replies: { 200: threadMemberSchema },
  refuses: [
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_THREAD_MEMBER',
  ],
  useCase: getThreadMember,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, params.user_id, query.withMember),
})

const listThreadMembersOperation = operation({
  name: 'List thread members',
  description: 'The members of a thread by account id, for bots.',
  route: 'GET /v1/channels/:channel_id/thread-members',
  callers: bots(),
  needsThreads: true,
  bucket: perUserAnd('channel:thread:member:list::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: threadParams,
  query: threadMembersPage,
  replies: { 200: z.array(threadMemberSchema).readonly() },
  refuses: ['MISSING_ACCESS', 'MISSING_PERMISSIONS', 'NSFW_CONTENT_AGE_RESTRICTED', 'UNKNOWN_CHANNEL'],
  useCase: listThreadMembers,
  handle: ({ caller, params, query }, run) => run(caller, params.channel_id, query),
})

const changeOwnThreadSettingsOperation = operation({
  name: 'Modify own thread settings',
  description: "Changes the caller's notification settings for a thread.",
  route: 'PATCH /v1/channels/:channel_id/thread-members/@me/settings',
  callers: accounts({ bots: true }),
  needsThreads: true,
  bucket: perUserAnd('channel:thread:member:settings::channel_id', 'channel_id', { requests: 20, seconds: 10 }),
  params: threadParams,
  body: threadMemberSettings,
  keepsNoText: true,
  replies: { 200: threadMemberSchema },
  refuses: [
    'COMMUNICATION_DISABLED',
    'MISSING_ACCESS',
    'MISSING_PERMISSIONS',
    'NSFW_CONTENT_AGE_RESTRICTED',
    'UNKNOWN_CHANNEL',
    'UNKNOWN_THREAD_MEMBER',
  ],
  useCase: changeOwnThreadSettings,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body),
})

/** The members of threads. */
export const threadMemberOperations: readonly Operation[] = [
  joinThreadOperation,
  addThreadMemberOperation,
  leaveThreadOperation,
  removeThreadMemberOperation,
  getThreadMemberOperation,
  listThreadMembersOperation,
  changeOwnThreadSettingsOperation,
]
