import type { GuildEvent } from '../../domain/guild/events.ts'
import type { WebhookEvent, WebhookFields } from '../../domain/webhook/events.ts'
import { patch, projection, put, remove, removeWhere, type Row } from '../runner/projection.ts'

/** Webhooks, by id, channel, guild and creator. */
export const webhooksProjection = projection<WebhookEvent | GuildEvent>({
  name: 'webhooks',
  answers: 'Webhooks, with their sealed tokens.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { webhooks: ['id'] },
  on: {
    WebhookCreated: ({ data: { webhookId, guildId, creatorId, kind, token, source, ...fields } }) => [
      put('webhooks', {
        id: webhookId,
        guild_id: guildId,
        creator_id: creatorId,
        kind,
        token,
        source_guild_id: source?.guildId ?? null,
        source_channel_id: source?.channelId ?? null,
        ...columnsOf(fields),
      }),
    ],
    WebhookChanged: ({ data: { webhookId, after } }) => [patch('webhooks', { id: webhookId }, columnsOf(after))],
    WebhookDeleted: ({ data }) => [remove('webhooks', { id: data.webhookId })],
    GuildDeleted: ({ data }) => [removeWhere('webhooks', { guild_id: data.guildId })],
  },
})

function columnsOf({ name, avatar, channelId }: Partial<WebhookFields>): Row {
  return {
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(channelId === undefined ? {} : { channel_id: channelId }),
  }
}
