import { z } from 'zod'
import { accounts } from '../../../callers.js'
import { perUser, perUserAnd } from '../../../bucket.js'
import { none, operation } from '../../../operation.js'
import { tagAnswer, tagQuery } from '../../../schemas/identity/account/own-account.js'
import { fullProfile, profileParameters, profileQuery } from '../../../schemas/identity/account/profiles.js'
import { accountIdInput } from '../../../schemas/scalars.js'
import { currentUser, partialUser } from '../../../schemas/identity/account/users.js'

/** Shared by the account and its settings (reference identity 6.1 and 9.5). */
export const currentUserReads = perUser('user:settings:get', { requests: 40, seconds: 10 })

export const getCurrentUserOperation = operation({
  name: 'Get current user',
  route: 'GET /v1/users/@me',
  callers: accounts({ bots: true, scope: 'identify' }),
  bucket: currentUserReads,
  params: none,
  query: none,
  body: none,
  replies: { 200: currentUser },
  handle: ({ caller }, { accounts: ours }) => Promise.resolve(ours.current(caller)),
})

/** Reference identity 6.4. */
export const getUserOperation = operation({
  name: 'Get user by id',
  route: 'GET /v1/users/:user_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('user:read::user_id', 'user_id', { requests: 100, seconds: 10 }),
  params: z.object({ user_id: accountIdInput }),
  query: none,
  body: none,
  replies: { 200: partialUser },
  refuses: ['UNKNOWN_USER'],
  handle: ({ params }, { users }) => users.get(params.user_id),
})

/** Reference identity 6.4. */
export const getProfileOperation = operation({
  name: 'Get user profile',
  route: 'GET /v1/users/:target_id/profile',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('user:profile::target_id', 'target_id', { requests: 100, seconds: 10 }),
  params: profileParameters,
  query: profileQuery,
  body: none,
  replies: { 200: fullProfile },
  refuses: ['MISSING_ACCESS', 'UNKNOWN_USER'],
  handle: ({ caller, params, query }, { users }) => users.getProfile(caller, params.target_id, query),
})

export const checkTagOperation = operation({
  name: 'Check tag',
  route: 'GET /v1/users/check-tag',
  callers: accounts(),
  bucket: perUser('user:check_tag', { requests: 60, seconds: 10 }),
  params: none,
  query: tagQuery,
  body: none,
  replies: { 200: tagAnswer },
  handle: ({ caller, query }, { users }) => users.checkTag(caller, query),
})
