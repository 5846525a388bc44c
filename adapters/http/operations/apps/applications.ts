import { z } from 'zod'
import { accounts, anyone, bots } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import {
  application,
  applicationPatch,
  botPatch,
  botProfile,
  botTokenReset,
  currentBotApplication,
  newApplication,
  publicApplication,
} from '../../schemas/apps/applications.js'
import { applicationIdInput } from '../../schemas/scalars.js'
import { alwaysSudo } from '../../sudo.js'

const hour_s = 3600
const applicationParams = z.object({ id: applicationIdInput })
const applicationList = z.array(application).readonly()

/**
 * The names with `::client_id` are those of the reference, and part nothing: the parameter of the path is called otherwise, so each
 * counts the requests of a user for all applications together (reference identity 7.3).
 */
export const lists = perUser('oauth_dev:clients:list', { requests: 60, seconds: 60 })
const updates = perUser('oauth_dev:clients:update::client_id', { requests: 30, seconds: 60 })
const rotations = perUser('oauth_dev:clients:rotate_secret::client_id', { requests: 10, seconds: hour_s })

export const listOwnApplicationsOperation = operation({
  name: 'List current user applications',
  route: 'GET /v1/users/@me/applications',
  callers: accounts(),
  bucket: lists,
  params: none,
  query: none,
  body: none,
  replies: { 200: applicationList },
  handle: ({ caller }, { applications }) => applications.listOwn(caller),
})

export const getCallersApplicationsOperation = operation({
  name: 'List own applications, or get own bot application',
  route: 'GET /v1/oauth2/applications/@me',
  callers: accounts({ bots: true }),
  bucket: lists,
  params: none,
  query: none,
  body: none,
  replies: { 200: z.union([applicationList, currentBotApplication]) },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller }, { applications }) => applications.ofCaller(caller),
})

/** Contract part 1, Authentication, rules 1 and 2. */
export const getCurrentBotApplicationOperation = operation({
  name: 'Get current bot application',
  route: 'GET /v1/applications/@me',
  callers: bots({ otherwise: 'INVALID_TOKEN' }),
  schemesInAnyCase: true,
  bucket: lists,
  params: none,
  query: none,
  body: none,
  replies: { 200: currentBotApplication },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller }, { applications }) => applications.currentBot(caller),
})

export const getPublicApplicationOperation = operation({
  name: 'Get public application',
  route: 'GET /v1/oauth2/applications/:id/public',
  callers: anyone(),
  bucket: lists,
  params: applicationParams,
  query: none,
  body: none,
  replies: { 200: publicApplication },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller, params }, { applications }) => applications.getPublic(caller, params.id),
})

export const createApplicationOperation = operation({
  name: 'Create application',
  route: 'POST /v1/oauth2/applications',
  callers: accounts(),
  bucket: perUser('oauth_dev:clients:create', { requests: 10, seconds: hour_s }),
  params: none,
  query: none,
  body: newApplication,
  replies: { 200: application },
  refuses: ['BOT_USER_GENERATION_FAILED', 'GONE', 'MAX_APPLICATIONS', 'UNCLAIMED_ACCOUNT_CANNOT_CREATE_APPLICATIONS'],
  handle: ({ caller, body }, { applications }) => applications.create(caller, body),
})

export const getApplicationOperation = operation({
  name: 'Get application',
  route: 'GET /v1/oauth2/applications/:id',
  callers: accounts(),
  bucket: lists,
  params: applicationParams,
  query: none,
  body: none,
  replies: { 200: application },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller, params }, { applications }) => applications.get(caller, params.id),
})

export const updateApplicationOperation = operation({
  name: 'Update application',
  route: 'PATCH /v1/oauth2/applications/:id',
  callers: accounts(),
  bucket: updates,
  params: applicationParams,
  query: none,
  body: applicationPatch,
  replies: { 200: application },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller, params, body }, { applications }) => applications.change(caller, params.id, body),
})

export const updateBotProfileOperation = operation({
  name: 'Update bot profile',
  route: 'PATCH /v1/oauth2/applications/:id/bot',
  callers: accounts(),
  bucket: updates,
  params: applicationParams,
  query: none,
  body: botPatch,
  takesImage: true,
  replies: { 200: botProfile },
  refuses: ['BOT_USER_NOT_FOUND', 'CONFLICT', 'INVALID_BOT_FLAG', 'UNKNOWN_APPLICATION', 'USERNAME_NOT_AVAILABLE'],
  handle: ({ caller, params, body }, { applications }) => applications.changeBot(caller, params.id, body),
})

export const resetBotTokenOperation = operation({
  name: 'Reset bot token',
  route: 'POST /v1/oauth2/applications/:id/bot/reset-token',
  callers: accounts(),
  bucket: rotations,
  params: applicationParams,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 200: botTokenReset },
  refuses: ['BOT_USER_NOT_FOUND', 'UNKNOWN_APPLICATION'],
  handle: ({ caller, params }, { applications }) => applications.resetBotToken(caller, params.id),
})

export const resetClientSecretOperation = operation({
  name: 'Reset client secret',
  route: 'POST /v1/oauth2/applications/:id/client-secret/reset',
  callers: accounts(),
  bucket: rotations,
  params: applicationParams,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 200: application },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller, params }, { applications }) => applications.resetClientSecret(caller, params.id),
})

export const deleteApplicationOperation = operation({
  name: 'Delete application',
  route: 'DELETE /v1/oauth2/applications/:id',
  callers: accounts(),
  bucket: perUser('oauth_dev:clients:delete::client_id', { requests: 10, seconds: hour_s }),
  params: applicationParams,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['UNKNOWN_APPLICATION'],
  handle: ({ caller, params }, { applications }) => applications.delete(caller, params.id),
})
