import { z } from 'zod'
import { changeWebhook, deleteWebhook } from '../../../../application/communities/webhooks/change-webhook.ts'
import { createWebhook } from '../../../../application/communities/webhooks/create-webhook.ts'
import {
  getWebhook,
  listChannelWebhooks,
  listGuildWebhooks,
} from '../../../../application/communities/webhooks/read-webhooks.ts'
import { webhookSchema } from '../../../../application/wire-objects/communities/webhook-objects.ts'
import { perUserAnd } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { webhookChanges, webhookWishes } from '../../schemas/communities/webhooks.ts'
import { channelIdInput, guildIdInput, webhookIdInput } from '../../schemas/scalars.ts'
import { ofGuild } from '../refusals-of-access.ts'

const webhookParams = z.object({ webhook_id: webhookIdInput })
const channelParams = z.object({ channel_id: channelIdInput })
const webhookList = z.array(webhookSchema).readonly()
const ofChannelOfGuild = [...ofGuild, 'MISSING_ACCESS', 'UNKNOWN_CHANNEL'] as const
const ofWebhook = [...ofChannelOfGuild, 'UNKNOWN_WEBHOOK'] as const

const listGuildWebhooksOperation = operation({
  name: 'List guild webhooks',
  description: 'The webhooks of those channels of a guild in which the caller manages them, oldest first.',
  route: 'GET /v1/guilds/:guild_id/webhooks',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('webhook:list::guild_id', 'guild_id', { requests: 40, seconds: 10 }),
  params: z.object({ guild_id: guildIdInput }),
  replies: { 200: webhookList },
  refuses: [...ofGuild, 'MISSING_ACCESS'],
  useCase: listGuildWebhooks,
  handle: ({ caller, params }, run) => run(caller, params.guild_id),
})

const listChannelWebhooksOperation = operation({
  name: 'List channel webhooks',
  description: 'The webhooks of a channel, oldest first.',
  route: 'GET /v1/channels/:channel_id/webhooks',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('webhook:list::channel_id', 'channel_id', { requests: 40, seconds: 10 }),
  params: channelParams,
  replies: { 200: webhookList },
  refuses: ofChannelOfGuild,
  useCase: listChannelWebhooks,
  handle: ({ caller, params }, run) => run(caller, params.channel_id),
})

const createWebhookOperation = operation({
  name: 'Create webhook',
  description: 'Creates a webhook for a channel, with a token by which anybody writes as the webhook.',
  route: 'POST /v1/channels/:channel_id/webhooks',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('webhook:create::channel_id', 'channel_id', { requests: 10, seconds: 60 }),
  params: channelParams,
  body: webhookWishes,
  takesImage: true,
  replies: { 200: webhookSchema },
  refuses: [...ofChannelOfGuild, 'MAX_WEBHOOKS_PER_CHANNEL', 'MAX_WEBHOOKS_PER_GUILD', 'RESOURCE_LOCKED'],
  useCase: createWebhook,
  handle: ({ caller, params, body }, run) => run(caller, params.channel_id, body),
})

const getWebhookOperation = operation({
  name: 'Get webhook',
  description: 'A webhook of a channel in which the caller manages them.',
  route: 'GET /v1/webhooks/:webhook_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('webhook:read::webhook_id', 'webhook_id', { requests: 100, seconds: 10 }),
  params: webhookParams,
  replies: { 200: webhookSchema },
  refuses: ofWebhook,
  useCase: getWebhook,
  handle: ({ caller, params }, run) => run(caller, params.webhook_id),
})

const changeWebhookOperation = operation({
  name: 'Modify webhook',
  description: 'Renames a webhook, gives it another image, or moves it to another channel of its guild.',
  route: 'PATCH /v1/webhooks/:webhook_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('webhook:update::webhook_id', 'webhook_id', { requests: 20, seconds: 10 }),
  params: webhookParams,
  body: webhookChanges,
  exampleBody: { name: 'Build' },
  takesImage: true,
  replies: { 200: webhookSchema },
  refuses: [...ofWebhook, 'MAX_WEBHOOKS_PER_CHANNEL', 'RESOURCE_LOCKED'],
  useCase: changeWebhook,
  handle: ({ caller, params, body }, run) => run(caller, params.webhook_id, body),
})

const deleteWebhookOperation = operation({
  name: 'Delete webhook',
  description: 'Deletes a webhook. Its messages stay.',
  route: 'DELETE /v1/webhooks/:webhook_id',
  callers: accounts({ bots: true }),
  bucket: perUserAnd('webhook:delete::webhook_id', 'webhook_id', { requests: 20, seconds: 10 }),
  params: webhookParams,
  replies: { 204: none },
  refuses: ofWebhook,
  useCase: deleteWebhook,
  handle: ({ caller, params }, run) => run(caller, params.webhook_id),
})

/** Webhooks, managed by members of their guild. */
export const webhookOperations: readonly Operation[] = [
  listGuildWebhooksOperation,
  listChannelWebhooksOperation,
  createWebhookOperation,
  getWebhookOperation,
  changeWebhookOperation,
  deleteWebhookOperation,
]
