import { webhookId, type ChannelId } from '../../../domain/ids/ids.ts'
import { webhookKinds } from '../../../domain/webhook/events.ts'
import type { ChannelAccess } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import type { ReadingNeeds } from '../../images/read-image.ts'
import type { Ports } from '../../ports.ts'
import type { WebhookObject } from '../../wire-objects/communities/webhook-objects.ts'
import { requireWebhookChannel } from './managed-webhooks.ts'
import { storedAvatar } from './webhook-images.ts'
import { newWebhookToken, sealedToken } from './webhook-tokens.ts'
import { webhookView } from './webhook-views.ts'
import { withinWebhooks } from './within-webhooks.ts'

/** What a webhook is to be like; absent members of a change stay as they are. */
export interface WebhookWishes {
  /** 1-80 characters. */
  readonly name: string
  /** An image as sent; null for none. */
  readonly avatar: Uint8Array | null
}

type Needs = ReadingNeeds & Pick<Ports, 'aggregates' | 'limits' | 'readModels' | 'reservations' | 'webhookBox'>

/**
 * Creates a webhook for a channel, with a token. Refuses as `requireWebhookChannel` does, with 400 MAX_WEBHOOKS_PER_GUILD,
 * MAX_WEBHOOKS_PER_CHANNEL, and as `storedAvatar` (rules/webhooks#create).
 */
export function createWebhook(ports: Needs) {
  return async (caller: Caller, channelId: ChannelId, wishes: WebhookWishes): Promise<WebhookObject> => {
    const access = await requireWebhookChannel(ports, caller, channelId)
    return withinWebhooks(ports, access.guild, channelId, () => make(ports, caller, access, wishes))
  }
}

async function make(
  ports: Needs,
  caller: Caller,
  { guild, channel }: ChannelAccess,
  { name, avatar: sent }: WebhookWishes,
): Promise<WebhookObject> {
  const { account, context } = caller
  const id = webhookId(context.newId())
  const avatar = await storedAvatar(ports, { asker: caller, accountId: account.id }, id, sent)
  const webhook = {
    guildId: guild.id,
    channelId: channel.id,
    name,
    avatar,
    creatorId: account.id,
    kind: webhookKinds.incoming,
    source: null,
    token: sealedToken(ports, id, newWebhookToken(context)),
  } as const
  await ports.aggregates.webhook.execute(id, { type: 'CreateWebhook', webhook: { ...webhook, webhookId: id } }, context)
  await ports.readModels.reached(context.written)
  return webhookView(ports, { id, ...webhook })
}
