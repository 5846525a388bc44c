import { z } from 'zod'
import { executeWebhook } from '../../../../application/communities/webhooks/by-token/execute-webhook.ts'
import {
  changeWebhookByToken,
  deleteWebhookByToken,
  getWebhookByToken,
} from '../../../../application/communities/webhooks/by-token/own-webhook.ts'
import {
  deleteWebhookMessage,
  editWebhookMessage,
  getWebhookMessage,
} from '../../../../application/communities/webhooks/by-token/webhook-messages.ts'
import {
  executeGithubWebhook,
  executeInstatusWebhook,
  executeSlackWebhook,
} from '../../../../application/communities/webhooks/services/execute-as-service.ts'
import { tokenWebhookSchema } from '../../../../application/wire-objects/communities/webhook-objects.ts'
import { messageSchema } from '../../../../application/wire-objects/conversations/message-objects.ts'
import type { Rate } from '../../../../application/ports/allowances.ts'
import { perUserAnd, type Bucket } from '../../bucket.ts'
import { anyoneWithToken } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { orNothing } from '../../or-nothing.ts'
import { PlainReply } from '../../plain-reply.ts'
import { webhookTokenChanges } from '../../schemas/communities/webhooks.ts'
import {
  byTokenParams,
  editedWebhookMessage,
  executedMessage,
  executionQuery,
  foreignPayload,
  slackMessage,
  threadQuery,
} from '../../schemas/conversations/webhook-inputs.ts'
import { messageIdInput } from '../../schemas/scalars.ts'

const params = z.object(byTokenParams)
const messageParams = z.object({ ...byTokenParams, message_id: messageIdInput })

/** A bucket of an operation by token. Those that post and change messages do not count in the global one. */
const bucket = (name: `${string}::webhook_id`, rate: Rate): Bucket => ({
  ...perUserAnd(name, 'webhook_id', rate),
  tellsStrangers: true,
})
const ofMessages = (name: `${string}::webhook_id`, requests: number): Bucket => ({
  ...bucket(name, { requests, seconds: 60 }),
  beyondGlobal: true,
})

type Path = z.output<typeof params>
const named = ({ webhook_id: id, token }: Path) => ({ id, token })

/** What reaching the place of a webhook refuses with. */
const ofPlace = [
  'FEATURE_TEMPORARILY_DISABLED',
  'MISSING_ACCESS',
  'UNKNOWN_CHANNEL',
  'UNKNOWN_WEBHOOK',
  'WEBHOOK_FORUM_TARGET_REQUIRED',
] as const
const ofOwnMessage = [...ofPlace, 'MISSING_PERMISSIONS', 'UNKNOWN_MESSAGE'] as const

const getOperation = operation({
  name: 'Get webhook with token',
  description: 'The webhook of a token, without its creator.',
  route: 'GET /v1/webhooks/:webhook_id/:token',
  callers: anyoneWithToken(),
  bucket: bucket('webhook:read::webhook_id', { requests: 100, seconds: 10 }),
  params,
  replies: { 200: tokenWebhookSchema },
  refuses: ['UNKNOWN_WEBHOOK'],
  useCase: getWebhookByToken,
  handle: ({ caller, params: path }, run) => run(caller, named(path)),
})

const changeOperation = operation({
  name: 'Modify webhook with token',
  description: 'Renames the webhook of a token, or gives it another image.',
  route: 'PATCH /v1/webhooks/:webhook_id/:token',
  callers: anyoneWithToken(),
  bucket: bucket('webhook:update::webhook_id', { requests: 20, seconds: 10 }),
  params,
  body: webhookTokenChanges,
  exampleBody: { name: 'Build' },
  takesImage: true,
  replies: { 200: tokenWebhookSchema },
  refuses: ['UNKNOWN_WEBHOOK'],
  useCase: changeWebhookByToken,
  handle: ({ caller, params: path, body }, run) => run(caller, named(path), body),
})

const deleteOperation = operation({
  name: 'Delete webhook with token',
  description: 'Deletes the webhook of a token. Its messages stay.',
  route: 'DELETE /v1/webhooks/:webhook_id/:token',
  callers: anyoneWithToken(),
  bucket: bucket('webhook:delete::webhook_id', { requests: 20, seconds: 10 }),
  params,
  replies: { 204: none },
  refuses: ['UNKNOWN_WEBHOOK'],
  useCase: deleteWebhookByToken,
  handle: ({ caller, params: path }, run) => run(caller, named(path)),
})

const executeOperation = operation({
  name: 'Execute webhook',
  description: 'Posts a message as the webhook of a token.',
  route: 'POST /v1/webhooks/:webhook_id/:token',
  callers: anyoneWithToken(),
  bucket: ofMessages('webhook:execute::webhook_id', 60),
  params,
  query: executionQuery,
  body: executedMessage,
  exampleBody: { content: 'The build is green.' },
  takesFiles: true,
  badJsonIsEmpty: true,
  keepsNoAnswer: true,
  replies: { 200: orNothing(messageSchema) },
  refuses: [
    ...ofPlace,
    'CANNOT_SEND_EMPTY_MESSAGE',
    'FILE_SIZE_TOO_LARGE',
    'GONE',
    'MAX_ACTIVE_THREADS',
    'MISSING_PERMISSIONS',
    'THREAD_LOCKED',
    'UNKNOWN_MESSAGE',
    'WEBHOOK_FORUM_TARGET_CONFLICT',
    'WEBHOOK_THREAD_NAME_REQUIRES_FORUM',
  ],
  useCase: executeWebhook,
  handle: ({ caller, params: path, query, body, files }, run) => run(caller, named(path), { ...body, ...query, files }),
})

const getMessageOperation = operation({
  name: 'Get webhook message',
  description: 'A message that the webhook posted.',
  route: 'GET /v1/webhooks/:webhook_id/:token/messages/:message_id',
  callers: anyoneWithToken(),
  bucket: ofMessages('webhook:message_get::webhook_id', 60),
  params: messageParams,
  query: threadQuery,
  replies: { 200: messageSchema },
  refuses: ofOwnMessage,
  useCase: getWebhookMessage,
  handle: ({ caller, params: path, query }, run) =>
    run(caller, { ...named(path), ...query, messageId: path.message_id }),
})

const editMessageOperation = operation({
  name: 'Modify webhook message',
  description: 'Edits a message that the webhook posted.',
  route: 'PATCH /v1/webhooks/:webhook_id/:token/messages/:message_id',
  callers: anyoneWithToken(),
  bucket: ofMessages('webhook:message_edit::webhook_id', 30),
  params: messageParams,
  query: threadQuery,
  body: editedWebhookMessage,
  exampleBody: { content: 'The build is red.' },
  replies: { 200: messageSchema },
  refuses: [
    ...ofOwnMessage,
    'CANNOT_EDIT_OTHER_USER_MESSAGE',
    'CANNOT_MODIFY_SYSTEM_WEBHOOK',
    'CANNOT_SEND_EMPTY_MESSAGE',
    'COMMUNICATION_DISABLED',
    'PUBLISHED_MESSAGE_EDIT_RATE_LIMITED',
    'THREAD_LOCKED',
  ],
  useCase: editWebhookMessage,
  handle: ({ caller, params: path, query, body }, run) =>
    run(caller, { ...named(path), ...query, messageId: path.message_id }, body),
})

const deleteMessageOperation = operation({
  name: 'Delete webhook message',
  description: 'Permanently deletes a message that the webhook posted.',
  route: 'DELETE /v1/webhooks/:webhook_id/:token/messages/:message_id',
  callers: anyoneWithToken(),
  bucket: ofMessages('webhook:message_delete::webhook_id', 30),
  params: messageParams,
  query: threadQuery,
  replies: { 204: none },
  refuses: ofOwnMessage,
  useCase: deleteWebhookMessage,
  handle: ({ caller, params: path, query }, run) =>
    run(caller, { ...named(path), ...query, messageId: path.message_id }),
})

const executed = [
  ...ofPlace.filter((code) => code !== 'WEBHOOK_FORUM_TARGET_REQUIRED'),
  'MAX_ACTIVE_THREADS',
  'THREAD_LOCKED',
  'WEBHOOK_SERVICE_FORUM_UNSUPPORTED',
] as const

const slackOperation = operation({
  name: 'Execute Slack-compatible webhook',
  description: 'Posts a message that is in the form of Slack.',
  route: 'POST /v1/webhooks/:webhook_id/:token/slack',
  callers: anyoneWithToken('message'),
  bucket: ofMessages('webhook:execute::webhook_id', 60),
  params,
  query: threadQuery,
  body: slackMessage,
  exampleBody: { text: 'The build is green.' },
  badJsonIsEmpty: true,
  replies: { 200: z.literal('ok') },
  refuses: [...executed, 'CANNOT_SEND_EMPTY_MESSAGE', 'GONE'],
  useCase: executeSlackWebhook,
  handle: async ({ caller, params: path, query, body }, run) => {
    await run(caller, { ...named(path), ...query }, body)
    return new PlainReply('ok', 'text/html')
  },
})

const githubOperation = operation({
  name: 'Execute GitHub-compatible webhook',
  description: 'Posts what a delivery of GitHub tells of, if it is of a kind that is shown.',
  route: 'POST /v1/webhooks/:webhook_id/:token/github',
  callers: anyoneWithToken('delivery'),
  bucket: ofMessages('webhook:github::webhook_id', 200),
  params,
  query: threadQuery,
  body: foreignPayload,
  exampleBody: {},
  badJsonIsEmpty: true,
  replies: { 204: none },
  refuses: [...executed, 'CANNOT_SEND_EMPTY_MESSAGE'],
  useCase: executeGithubWebhook,
  handle: ({ caller, params: path, query, body, delivery }, run) =>
    run(caller, { ...named(path), ...query }, delivery.event, body),
})

const instatusOperation = operation({
  name: 'Execute Instatus-compatible webhook',
  description: 'Posts what a status page of Instatus tells of.',
  route: 'POST /v1/webhooks/:webhook_id/:token/instatus',
  callers: anyoneWithToken('message'),
  bucket: ofMessages('webhook:instatus::webhook_id', 200),
  params,
  query: threadQuery,
  body: foreignPayload,
  exampleBody: {},
  badJsonIsEmpty: true,
  replies: { 204: none },
  refuses: [...executed, 'CANNOT_SEND_EMPTY_MESSAGE'],
  useCase: executeInstatusWebhook,
  handle: ({ caller, params: path, query, body }, run) => run(caller, { ...named(path), ...query }, body),
})

/** Webhooks, for whoever knows their tokens. */
export const tokenWebhookOperations: readonly Operation[] = [
  getOperation,
  changeOperation,
  deleteOperation,
  executeOperation,
  slackOperation,
  githubOperation,
  instatusOperation,
  getMessageOperation,
  editMessageOperation,
  deleteMessageOperation,
]
