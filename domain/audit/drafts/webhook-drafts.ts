import type { Webhook, WebhookEvent, WebhookFields } from '../../webhook/events.ts'
import { auditActions } from '../audit-actions.ts'
import { changed, created, deleted, type AuditDraft, type AuditValue, type DraftsOf } from '../audit-entry.ts'

/** What members do to webhooks. What is done with a webhook's token alone has no entry. */
export const webhookDrafts: DraftsOf<WebhookEvent> = {
  WebhookCreated: ({ token: _, ...webhook }) => [
    { ...about(webhook), actionType: auditActions.WEBHOOK_CREATE, changes: created(record(webhook)) },
  ],
  WebhookChanged: ({ before, after, byToken, ...webhook }) => {
    if (byToken) return []
    const changes = changed(values(before), values(after))
    return [{ ...about(webhook), actionType: auditActions.WEBHOOK_UPDATE, changes }]
  },
  WebhookDeleted: ({ byToken, ...webhook }) => {
    if (byToken) return []
    return [{ ...about(webhook), actionType: auditActions.WEBHOOK_DELETE, changes: deleted(record(webhook)) }]
  },
}

function about({
  webhookId,
  guildId,
  channelId,
  kind,
}: Pick<Webhook, 'webhookId' | 'guildId' | 'channelId' | 'kind'>): Pick<
  AuditDraft,
  'guildId' | 'targetId' | 'options'
> {
  return { guildId, targetId: webhookId, options: { channel_id: channelId, type: kind } }
}

type Values = Readonly<Record<string, AuditValue>>

function record({ webhookId, guildId, creatorId, kind, ...fields }: Webhook): Values {
  return { id: webhookId, guild_id: guildId, creator_id: creatorId, type: kind, ...values(fields) }
}

/** The given fields, by the keys of the audit log. */
function values({ name, avatar, channelId }: Partial<WebhookFields>): Values {
  return {
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar_hash: avatar }),
    ...(channelId === undefined ? {} : { channel_id: channelId }),
  }
}
