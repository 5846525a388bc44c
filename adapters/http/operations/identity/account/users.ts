import { z } from 'zod'
import { getProfile } from '../../../../../application/identity/own-account/get-profile.ts'
import { checkTag, getUser } from '../../../../../application/identity/own-account/read-users.ts'
import { accounts } from '../../../callers.ts'
import { perUser, perUserAnd } from '../../../bucket.ts'
import { operation, type Operation } from '../../../operation.ts'
import { tagAnswer, tagQuery } from '../../../schemas/identity/account/own-account.ts'
import { fullProfile, profileParameters, profileQuery } from '../../../schemas/identity/account/profiles.ts'
import { accountIdInput } from '../../../schemas/scalars.ts'
import { partialUserSchema } from '../../../../../application/wire-objects/identity/user-objects.ts'

const getUserOperation = operation({
  name: 'Get user by id',
  description: 'Gives what everybody may see of an account.',
  route: 'GET /v1/users/:user_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('user:read::user_id', 'user_id', { requests: 100, seconds: 10 }),
  params: z.object({ user_id: accountIdInput }),
  replies: { 200: partialUserSchema },
  refuses: ['UNKNOWN_USER'],
  useCase: getUser,
  handle: ({ params }, run) => run(params.user_id),
})

const getProfileOperation = operation({
  name: 'Get user profile',
  description:
    "The profile of an account, for those who share a guild, a group or a friendship with it; a bot's for everybody.",
  route: 'GET /v1/users/:target_id/profile',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('user:profile::target_id', 'target_id', { requests: 100, seconds: 10 }),
  params: profileParameters,
  query: profileQuery,
  replies: { 200: fullProfile },
  refuses: ['MISSING_ACCESS', 'UNKNOWN_USER'],
  useCase: getProfile,
  handle: ({ caller, params, query }, run) => run(caller, params.target_id, query),
})

const checkTagOperation = operation({
  name: 'Check tag',
  description: 'Whether somebody else has a tag or, where usernames alone are unique, the username.',
  route: 'GET /v1/users/check-tag',
  callers: accounts(),
  bucket: perUser('user:check_tag', { requests: 60, seconds: 10 }),
  query: tagQuery,
  replies: { 200: tagAnswer },
  useCase: checkTag,
  handle: ({ caller, query }, run) => run(caller, query),
})

/** Other accounts. */
export const userOperations: readonly Operation[] = [checkTagOperation, getUserOperation, getProfileOperation]
