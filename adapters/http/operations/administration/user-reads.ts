import { z } from 'zod'
import { getUser } from '../../../../application/administration/users/get-user.ts'
import { listUserApplications } from '../../../../application/administration/users/list-user-applications.ts'
import { listUserGuilds } from '../../../../application/administration/users/list-user-guilds.ts'
import { listUserPasskeys } from '../../../../application/administration/users/list-user-passkeys.ts'
import { listUserPrivateChannels } from '../../../../application/administration/users/list-user-private-channels.ts'
import { listUserRelationships } from '../../../../application/administration/users/list-user-relationships.ts'
import { listUserSessions } from '../../../../application/administration/users/list-user-sessions.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import {
  foundUsers,
  userApplications,
  userGuilds,
  userPrivateChannels,
  userPrivateChannelsPage,
  userRelationships,
  userSessions,
} from '../../schemas/administration/user-reads.ts'
import { guildsPage } from '../../schemas/communities/guild-inputs.ts'
import { adminLookup, adminUserModify } from './buckets.ts'
import { ofUser, userParams } from './of-users.ts'
import { passkeySchema } from '../../../../application/wire-objects/identity/passkey-object.ts'

/** An unknown account is an empty list, and recorded too. */
const getUserOperation = operation({
  name: 'Get user',
  description: 'Finds accounts by id, in a list; empty for an unknown account.',
  route: 'GET /v1/admin/users/:user_id',
  callers: admin({ acls: ['user:lookup'] }),
  bucket: adminLookup,
  params: userParams,
  replies: { 200: foundUsers },
  adminAudit: {
    action: 'get_user',
    ...ofUser,
    metadata: (_, { users }) => ({ found: String(users.length > 0) }),
  },
  useCase: getUser,
  handle: async ({ caller, params }, run) => ({ users: await run(caller, params.user_id) }),
})

const listUserGuildsOperation = operation({
  name: 'List user guilds',
  description:
    "The account's guilds between two cursors, in ascending order of ids, with their owners' names, and with counts if requested.",
  route: 'GET /v1/admin/users/:user_id/guilds',
  callers: admin({ acls: ['user:list:guilds'] }),
  bucket: adminLookup,
  params: userParams,
  query: guildsPage,
  replies: { 200: userGuilds },
  adminAudit: {
    action: 'list_user_guilds',
    ...ofUser,
    metadata: ({ query: { page, withCounts } }, { guilds }) => ({
      limit: String(page.limit),
      with_counts: String(withCounts),
      guild_count: String(guilds.length),
      ...(page.before === undefined ? {} : { before_guild_id: page.before }),
      ...(page.after === undefined ? {} : { after_guild_id: page.after }),
    }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserGuilds,
  handle: async ({ params, query }, run) => ({ guilds: await run(params.user_id, query.page, query.withCounts) }),
})

const listUserPrivateChannelsOperation = operation({
  name: 'List user direct message channels',
  description: "The account's direct messages, closed ones too, or at most 500 groups that it is in, newest first.",
  route: 'GET /v1/admin/users/:user_id/dm-channels',
  callers: admin({ acls: ['user:list:dm_channels'] }),
  bucket: adminLookup,
  params: userParams,
  query: userPrivateChannelsPage,
  replies: { 200: userPrivateChannels },
  adminAudit: {
    action: 'list_user_dm_channels',
    ...ofUser,
    metadata: ({ query }, { channels }) => ({
      type: query.type,
      channel_count: String(channels.length),
      ...(query.type === 'dm' ? { limit: String(query.page.limit) } : {}),
      ...(query.type === 'dm' && query.page.before !== undefined ? { before_channel_id: query.page.before } : {}),
      ...(query.type === 'dm' && query.page.after !== undefined ? { after_channel_id: query.page.after } : {}),
    }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserPrivateChannels,
  handle: async ({ params, query }, run) => ({ channels: await run(params.user_id, query) }),
})

const listUserApplicationsOperation = operation({
  name: 'List user applications',
  description: 'All applications that the account owns, oldest first.',
  route: 'GET /v1/admin/users/:user_id/applications',
  callers: admin({ acls: [], anyOf: ['application:lookup', 'application:list:by_owner'] }),
  bucket: adminLookup,
  params: userParams,
  replies: { 200: userApplications },
  adminAudit: {
    action: 'list_user_applications',
    ...ofUser,
    metadata: (_, { applications }) => ({ application_count: String(applications.length) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserApplications,
  handle: async ({ params }, run) => ({ applications: await run(params.user_id) }),
})

const listUserRelationshipsOperation = operation({
  name: 'List user relationships',
  description: 'All relationships of the account.',
  route: 'GET /v1/admin/users/:user_id/relationships',
  callers: admin({ acls: ['user:list:relationships'] }),
  bucket: adminLookup,
  params: userParams,
  replies: { 200: userRelationships },
  adminAudit: {
    action: 'list_user_relationships',
    ...ofUser,
    metadata: (_, { friends, incoming_requests: incoming, outgoing_requests: outgoing, blocked }) => ({
      friend_count: String(friends.length),
      incoming_request_count: String(incoming.length),
      outgoing_request_count: String(outgoing.length),
      blocked_count: String(blocked.length),
    }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserRelationships,
  handle: ({ params }, run) => run(params.user_id),
})

const listUserSessionsOperation = operation({
  name: 'List user sessions',
  description: "The account's live sessions, then those that ended, each group newest first and at most 1000.",
  route: 'GET /v1/admin/users/:user_id/sessions',
  callers: admin({ acls: ['user:list:sessions'] }),
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: userSessions },
  adminAudit: {
    action: 'list_user_sessions',
    ...ofUser,
    metadata: (_, { sessions }) => ({ session_count: String(sessions.length) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserSessions,
  handle: async ({ caller, params }, run) => ({ sessions: await run(caller, params.user_id) }),
})

const listUserPasskeysOperation = operation({
  name: 'List user WebAuthn credentials',
  description: "The account's passkeys, oldest first, at most ten, without key material.",
  route: 'GET /v1/admin/users/:user_id/webauthn-credentials',
  callers: admin({ acls: ['user:update:mfa'] }),
  bucket: adminUserModify,
  params: userParams,
  replies: { 200: z.array(passkeySchema).readonly() },
  adminAudit: {
    action: 'list_webauthn_credentials',
    ...ofUser,
    metadata: (_, credentials) => ({ credential_count: String(credentials.length) }),
  },
  refuses: ['UNKNOWN_USER'],
  useCase: listUserPasskeys,
  handle: ({ params }, run) => run(params.user_id),
})

/** What administrators read of an account. */
export const userReadOperations: readonly Operation[] = [
  getUserOperation,
  listUserGuildsOperation,
  listUserPrivateChannelsOperation,
  listUserApplicationsOperation,
  listUserRelationshipsOperation,
  listUserSessionsOperation,
  listUserPasskeysOperation,
]
