import { z } from 'zod'
import {
  changeApplication,
  resetBotToken,
  resetClientSecret,
} from '../../../../application/apps/applications/change-application.ts'
import { changeBot } from '../../../../application/apps/applications/change-bot.ts'
import { createApplication } from '../../../../application/apps/applications/create-application.ts'
import { deleteApplication } from '../../../../application/processes/delete-application.ts'
import {
  applicationsOfCaller,
  getCurrentBotApplication,
  getApplication,
  getPublicApplication,
  listOwnApplications,
} from '../../../../application/apps/applications/read-applications.ts'
import { accounts, anyone, bots } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { applicationPatch, botPatch, botTokenReset, newApplication } from '../../schemas/apps/applications.ts'
import { applicationIdInput } from '../../schemas/scalars.ts'
import { alwaysSudo } from '../../sudo.ts'
import {
  applicationSchema,
  botSchema,
  currentBotApplicationSchema,
  publicApplicationSchema,
} from '../../../../application/wire-objects/apps/application-objects.ts'

const hour_s = 3600
const applicationParams = z.object({ id: applicationIdInput })
const applicationList = z.array(applicationSchema).readonly()

/**
 * Each bucket counts a user's requests for all applications together, although some names end with `::client_id`: it is
 * no parameter of these paths.
 */
export const lists = perUser('oauth_dev:clients:list', { requests: 60, seconds: 60 })
const updates = perUser('oauth_dev:clients:update::client_id', { requests: 30, seconds: 60 })
const rotations = perUser('oauth_dev:clients:rotate_secret::client_id', { requests: 10, seconds: hour_s })

const listOwnApplicationsOperation = operation({
  name: 'List current user applications',
  description: 'The applications that the caller owns, the oldest first.',
  route: 'GET /v1/users/@me/applications',
  callers: accounts(),
  bucket: lists,
  replies: { 200: applicationList },
  useCase: listOwnApplications,
  handle: ({ caller }, run) => run(caller),
})

const getCallersApplicationsOperation = operation({
  name: 'List own applications, or get own bot application',
  description: "A user's applications, or a bot's own application.",
  route: 'GET /v1/oauth2/applications/@me',
  callers: accounts({ bots: true }),
  bucket: lists,
  replies: { 200: z.union([applicationList, currentBotApplicationSchema]) },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: applicationsOfCaller,
  handle: ({ caller }, run) => run(caller),
})

/** A bot token alone is accepted, with its scheme in any case; everything else is INVALID_TOKEN. */
const getCurrentBotApplicationOperation = operation({
  name: 'Get current bot application',
  description: 'The application of the calling bot.',
  route: 'GET /v1/applications/@me',
  callers: bots({ otherwise: 'INVALID_TOKEN' }),
  schemesInAnyCase: true,
  bucket: lists,
  replies: { 200: currentBotApplicationSchema },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: getCurrentBotApplication,
  handle: ({ caller }, run) => run(caller),
})

const getPublicApplicationOperation = operation({
  name: 'Get public application',
  description: 'The public data of an application.',
  route: 'GET /v1/oauth2/applications/:id/public',
  callers: anyone(),
  bucket: lists,
  params: applicationParams,
  replies: { 200: publicApplicationSchema },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: getPublicApplication,
  handle: ({ caller, params }, run) => run(caller, params.id),
})

const createApplicationOperation = operation({
  name: 'Create application',
  description: 'Creates an application and its bot, and shows their secrets only here.',
  route: 'POST /v1/oauth2/applications',
  callers: accounts(),
  bucket: perUser('oauth_dev:clients:create', { requests: 10, seconds: hour_s }),
  body: newApplication,
  replies: { 200: applicationSchema },
  refuses: ['BOT_USER_GENERATION_FAILED', 'GONE', 'MAX_APPLICATIONS', 'UNCLAIMED_ACCOUNT_CANNOT_CREATE_APPLICATIONS'],
  useCase: createApplication,
  handle: ({ caller, body }, run) => run(caller, body),
})

const getApplicationOperation = operation({
  name: 'Get application',
  description: "One of the caller's applications.",
  route: 'GET /v1/oauth2/applications/:id',
  callers: accounts(),
  bucket: lists,
  params: applicationParams,
  replies: { 200: applicationSchema },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: getApplication,
  handle: ({ caller, params }, run) => run(caller, params.id),
})

const updateApplicationOperation = operation({
  name: 'Update application',
  description: "Changes one of the caller's applications.",
  route: 'PATCH /v1/oauth2/applications/:id',
  callers: accounts(),
  bucket: updates,
  params: applicationParams,
  body: applicationPatch,
  replies: { 200: applicationSchema },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: changeApplication,
  handle: ({ caller, params, body }, run) => run(caller, params.id, body),
})

const updateBotProfileOperation = operation({
  name: 'Update bot profile',
  description: "Changes a bot's profile: all of it or nothing.",
  route: 'PATCH /v1/oauth2/applications/:id/bot',
  callers: accounts(),
  bucket: updates,
  params: applicationParams,
  body: botPatch,
  takesImage: true,
  replies: { 200: botSchema },
  refuses: ['BOT_USER_NOT_FOUND', 'CONFLICT', 'INVALID_BOT_FLAG', 'UNKNOWN_APPLICATION', 'USERNAME_NOT_AVAILABLE'],
  useCase: changeBot,
  handle: ({ caller, params, body }, run) => run(caller, params.id, body),
})

const resetBotTokenOperation = operation({
  name: 'Reset bot token',
  description: 'Gives the bot a new token, shown only here.',
  route: 'POST /v1/oauth2/applications/:id/bot/reset-token',
  callers: accounts(),
  bucket: rotations,
  params: applicationParams,
  sudo: alwaysSudo,
  replies: { 200: botTokenReset },
  refuses: ['BOT_USER_NOT_FOUND', 'UNKNOWN_APPLICATION'],
  useCase: resetBotToken,
  handle: ({ caller, params }, run) => run(caller, params.id),
})

const resetClientSecretOperation = operation({
  name: 'Reset client secret',
  description: 'Gives the application a new client secret, shown only here.',
  route: 'POST /v1/oauth2/applications/:id/client-secret/reset',
  callers: accounts(),
  bucket: rotations,
  params: applicationParams,
  sudo: alwaysSudo,
  replies: { 200: applicationSchema },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: resetClientSecret,
  handle: ({ caller, params }, run) => run(caller, params.id),
})

const deleteApplicationOperation = operation({
  name: 'Delete application',
  description: "Deletes one of the caller's applications.",
  route: 'DELETE /v1/oauth2/applications/:id',
  callers: accounts(),
  bucket: perUser('oauth_dev:clients:delete::client_id', { requests: 10, seconds: hour_s }),
  params: applicationParams,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['UNKNOWN_APPLICATION'],
  useCase: deleteApplication,
  handle: ({ caller, params }, run) => run(caller, params.id),
})

/** Applications and their bots. */
export const applicationOperations: readonly Operation[] = [
  listOwnApplicationsOperation,
  getCallersApplicationsOperation,
  getCurrentBotApplicationOperation,
  getPublicApplicationOperation,
  createApplicationOperation,
  getApplicationOperation,
  updateApplicationOperation,
  updateBotProfileOperation,
  resetBotTokenOperation,
  resetClientSecretOperation,
  deleteApplicationOperation,
]
