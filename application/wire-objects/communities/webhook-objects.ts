import { z } from 'zod'
import { webhookKinds } from '../../../domain/webhook/events.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { partialUserObject, partialUserSchema } from '../identity/user-objects.ts'
import { imageHashOutput, secretOutput, snowflakeOutput } from '../scalars.ts'

const webhookMembers = {
  id: snowflakeOutput,
  type: z
    .int()
    .describe('1 incoming: posts what its token sends. 2 follower: brings messages of an announcement channel.'),
  guild_id: snowflakeOutput,
  channel_id: snowflakeOutput,
  name: z.string(),
  avatar: imageHashOutput,
  token: secretOutput.optional().describe('64 letters and digits, with which anybody writes as the webhook.'),
}

/** A webhook as whoever has its token sees it. */
export const tokenWebhookSchema = wireObject('WebhookByToken', webhookMembers)

/** A webhook as members who manage it see it. */
export const webhookSchema = wireObject('Webhook', {
  ...webhookMembers,
  user: partialUserSchema.describe('Who created it.'),
  source_guild: z
    .object({ id: snowflakeOutput, name: z.string(), icon: imageHashOutput })
    .optional()
    .describe('Of a follower, if it still exists.'),
  source_channel: z
    .object({ id: snowflakeOutput, name: z.string() })
    .optional()
    .describe('Of a follower, if it still exists.'),
})

export type TokenWebhookObject = ObjectOf<typeof tokenWebhookSchema>
export type WebhookObject = ObjectOf<typeof webhookSchema>

/** The parts of a webhook's object. */
export interface WebhookParts {
  readonly webhook: Omit<WebhookRecord, 'token'>
  /** Undefined for a follower. */
  readonly token: string | undefined
  readonly creator: AccountRecord
  readonly source: { readonly guild: SourceGuild | undefined; readonly channel: SourceChannel | undefined }
}

interface SourceGuild {
  readonly id: string
  readonly name: string
  readonly icon: string | null
}

interface SourceChannel {
  readonly id: string
  readonly name: string
}

/** A webhook for members who manage it. */
export function webhookObject({ webhook, token, creator, source }: WebhookParts): WebhookObject {
  return objectOf(webhookSchema, {
    ...shared(webhook, token),
    user: partialUserObject(creator),
    ...(source.guild && {
      source_guild: { id: source.guild.id, name: source.guild.name, icon: source.guild.icon },
    }),
    ...(source.channel && { source_channel: { id: source.channel.id, name: source.channel.name } }),
  })
}

/** The same for whoever has its token: without its creator. */
export function tokenWebhookObject(webhook: Omit<WebhookRecord, 'token'>, token: string): TokenWebhookObject {
  return objectOf(tokenWebhookSchema, shared(webhook, token))
}

/** A webhook in an audit log. */
export const auditWebhookSchema = wireObject('AuditLogWebhook', {
  id: snowflakeOutput,
  type: webhookMembers.type,
  guild_id: snowflakeOutput,
  channel_id: snowflakeOutput,
  name: z.string(),
  avatar_hash: imageHashOutput,
})

export function auditWebhookObject(webhook: WebhookRecord): ObjectOf<typeof auditWebhookSchema> {
  const { id, kind, guildId, channelId, name, avatar } = webhook
  return objectOf(auditWebhookSchema, {
    id,
    type: kind,
    guild_id: guildId,
    channel_id: channelId,
    name,
    avatar_hash: avatar,
  })
}

function shared({ id, kind, guildId, channelId, name, avatar }: Omit<WebhookRecord, 'token'>, token?: string) {
  return {
    id,
    type: kind,
    guild_id: guildId,
    channel_id: channelId,
    name,
    avatar,
    ...(token === undefined || kind !== webhookKinds.incoming ? {} : { token }),
  }
}
