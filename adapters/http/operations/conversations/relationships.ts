import { z } from 'zod'
import {
  acceptFriendRequest,
  blockAccount,
  ignoreRequests,
  nameFriend,
  removeRelationship,
} from '../../../../application/conversations/relationships/change-relationships.ts'
import { listRelationships } from '../../../../application/conversations/relationships/read-relationships.ts'
import {
  sendFriendRequest,
  sendFriendRequestByTag,
} from '../../../../application/conversations/relationships/send-friend-request.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  ignoredAnswer,
  ignoredRequests,
  nicknameWish,
  relationshipParams,
  relationshipWish,
  requestedTag,
} from '../../schemas/conversations/relationships.ts'
import { relationshipSchema } from '../../../../application/wire-objects/conversations/relationship-objects.ts'

/** Shared by both ways to send a friend request. */
const requests = perUser('user:friend_request:send', { requests: 10, seconds: 60 })

const listRelationshipsOperation = operation({
  name: 'List relationships',
  description: "The caller's relationships, oldest first.",
  route: 'GET /v1/users/@me/relationships',
  callers: accounts(),
  bucket: perUser('user:relationships:list', { requests: 40, seconds: 10 }),
  replies: { 200: z.array(relationshipSchema).readonly() },
  useCase: listRelationships,
  handle: ({ caller }, run) => run(caller),
})

const sendFriendRequestByTagOperation = operation({
  name: 'Send friend request by tag',
  description: 'Sends a friend request to the account with a tag.',
  route: 'POST /v1/users/@me/relationships',
  callers: accounts(),
  bucket: requests,
  body: requestedTag,
  keepsNoText: true,
  replies: { 200: relationshipSchema },
  refuses: [
    'ALREADY_FRIENDS',
    'CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER',
    'CANNOT_SEND_FRIEND_REQUEST_TO_SELF',
    'DIRECT_MESSAGES_DISABLED',
    'FRIEND_REQUEST_BLOCKED',
    'FRIEND_REQUEST_EMAIL_VERIFICATION_REQUIRED',
    'MAX_FRIENDS',
    'NO_USERS_WITH_GUILDHALLTAG_EXIST',
    'UNCLAIMED_ACCOUNT_CANNOT_ACCEPT_FRIEND_REQUESTS',
    'UNCLAIMED_ACCOUNT_CANNOT_SEND_FRIEND_REQUESTS',
    'UNKNOWN_USER',
  ],
  useCase: sendFriendRequestByTag,
  handle: ({ caller, body }, run) => run(caller, body),
})

const ignoreRequestsOperation = operation({
  name: 'Ignore friend requests',
  description: 'Ignores received requests, and gives their number.',
  route: 'POST /v1/users/@me/relationships/bulk-ignore',
  callers: accounts(),
  bucket: perUser('user:friend_request:bulk_ignore', { requests: 5, seconds: 60 }),
  body: ignoredRequests,
  keepsNoText: true,
  replies: { 200: ignoredAnswer },
  refuses: ['UNKNOWN_USER'],
  useCase: ignoreRequests,
  handle: ({ caller, body }, run) => run(caller, body),
})

const sendFriendRequestOperation = operation({
  name: 'Send friend request',
  description: 'Sends a friend request to an account, or accepts the one that it sent before.',
  route: 'POST /v1/users/@me/relationships/:user_id',
  callers: accounts(),
  bucket: requests,
  params: relationshipParams,
  replies: { 200: relationshipSchema },
  refuses: [
    'ALREADY_FRIENDS',
    'CANNOT_SEND_FRIEND_REQUEST_TO_BLOCKED_USER',
    'CANNOT_SEND_FRIEND_REQUEST_TO_SELF',
    'DIRECT_MESSAGES_DISABLED',
    'FRIEND_REQUEST_BLOCKED',
    'FRIEND_REQUEST_EMAIL_VERIFICATION_REQUIRED',
    'MAX_FRIENDS',
    'UNCLAIMED_ACCOUNT_CANNOT_ACCEPT_FRIEND_REQUESTS',
    'UNCLAIMED_ACCOUNT_CANNOT_SEND_FRIEND_REQUESTS',
    'UNKNOWN_USER',
  ],
  useCase: sendFriendRequest,
  handle: ({ caller, params }, run) => run(caller, params.user_id),
})

const acceptOrBlockOperation = operation({
  name: 'Accept friend request or block',
  description: 'Accepts a friend request, or blocks an account.',
  route: 'PUT /v1/users/@me/relationships/:user_id',
  callers: accounts(),
  bucket: perUser('user:friend_request:accept', { requests: 20, seconds: 10 }),
  params: relationshipParams,
  body: relationshipWish,
  keepsNoText: true,
  replies: { 200: relationshipSchema },
  refuses: [
    'CANNOT_BLOCK_SYSTEM_USER',
    'MAX_FRIENDS',
    'UNCLAIMED_ACCOUNT_CANNOT_ACCEPT_FRIEND_REQUESTS',
    'UNKNOWN_USER',
  ],
  useCase: (ports) => ({ accept: acceptFriendRequest(ports), block: blockAccount(ports) }),
  handle: ({ caller, params, body }, run) =>
    body.blocks ? run.block(caller, params.user_id) : run.accept(caller, params.user_id),
})

const nameFriendOperation = operation({
  name: 'Modify friend nickname',
  description: 'Gives a friend a nickname that only the caller sees; null removes it.',
  route: 'PATCH /v1/users/@me/relationships/:user_id',
  callers: accounts(),
  bucket: perUser('user:relationship:update', { requests: 30, seconds: 10 }),
  params: relationshipParams,
  body: nicknameWish,
  replies: { 200: relationshipSchema },
  refuses: ['UNKNOWN_USER'],
  useCase: nameFriend,
  handle: ({ caller, params, body }, run) => run(caller, params.user_id, body.nickname),
})

const removeRelationshipOperation = operation({
  name: 'Remove relationship',
  description: "Ends the caller's relationship to an account: friendship, request or block.",
  route: 'DELETE /v1/users/@me/relationships/:user_id',
  callers: accounts(),
  bucket: perUser('user:relationship:delete', { requests: 30, seconds: 10 }),
  params: relationshipParams,
  replies: { 204: none },
  refuses: ['UNKNOWN_USER'],
  useCase: removeRelationship,
  handle: ({ caller, params }, run) => run(caller, params.user_id),
})

/** Friends, friend requests and blocks. */
export const relationshipOperations: readonly Operation[] = [
  listRelationshipsOperation,
  sendFriendRequestByTagOperation,
  ignoreRequestsOperation,
  sendFriendRequestOperation,
  acceptOrBlockOperation,
  nameFriendOperation,
  removeRelationshipOperation,
]
