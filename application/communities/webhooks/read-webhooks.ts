import type { ChannelId, GuildId, WebhookId } from '../../../domain/ids/ids.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { WebhookObject } from '../../wire-objects/communities/webhook-objects.ts'
import { managesIn, requireWebhook, requireWebhookChannel } from './managed-webhooks.ts'
import { webhookView, webhookViews } from './webhook-views.ts'

type Needs = Pick<Ports, 'queries' | 'webhookBox'>

/** The webhooks of a channel, oldest first. Refuses as `requireWebhookChannel` (rules/webhooks#manage). */
export function listChannelWebhooks(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId): Promise<readonly WebhookObject[]> => {
    await requireWebhookChannel(ports, caller, channelId)
    return webhookViews(ports, await ports.queries.webhooks.ofChannel(channelId))
  }
}

/**
 * The webhooks of those channels of a guild in which the caller manages them, oldest first. Refuses as `requireGuild`, and as
 * `requirePermission` for MANAGE_WEBHOOKS in the guild (rules/webhooks#manage).
 */
export function listGuildWebhooks(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly WebhookObject[]> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'MANAGE_WEBHOOKS')
    const webhooks = await ports.queries.webhooks.ofGuild(guildId)
    const shown = new Map<ChannelId, boolean>()
    const isShown = (id: ChannelId): boolean => {
      const known = shown.get(id) ?? managesIn(access, id)
      shown.set(id, known)
      return known
    }
    return webhookViews(
      ports,
      webhooks.filter(({ channelId }) => isShown(channelId)),
    )
  }
}

/** One webhook. Refuses as `requireWebhook` (rules/webhooks#manage). */
export function getWebhook(ports: Needs) {
  return async (caller: Caller, id: WebhookId): Promise<WebhookObject> => {
    const { webhook } = await requireWebhook(ports, caller, id)
    return webhookView(ports, webhook)
  }
}
