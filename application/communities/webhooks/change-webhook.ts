import type { ChannelId, WebhookId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { channelTypes } from '../../../domain/guild/channel.ts'
import { webhookKinds, type WebhookFields } from '../../../domain/webhook/events.ts'
import type { ChannelAccess } from '../../access/guild-access.ts'
import type { Caller, Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ReadingNeeds } from '../../images/read-image.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../ports.ts'
import type { WebhookObject } from '../../wire-objects/communities/webhook-objects.ts'
import type { WebhookWishes } from './create-webhook.ts'
import { requireWebhook, requireWebhookChannel } from './managed-webhooks.ts'
import { storedAvatar } from './webhook-images.ts'
import { webhookView } from './webhook-views.ts'
import { withinWebhooksOfChannel } from './within-webhooks.ts'

/** Absent: unchanged. */
export interface WebhookChanges {
  readonly name?: WebhookWishes['name'] | undefined
  readonly avatar?: WebhookWishes['avatar'] | undefined
  readonly channelId?: ChannelId | undefined
}

export type ChangingNeeds = ReadingNeeds & Pick<Ports, 'aggregates' | 'limits' | 'readModels'>
type Needs = ChangingNeeds & Pick<Ports, 'reservations' | 'webhookBox'>

/**
 * Renames a webhook, gives it another image, or moves it to another channel of its guild. Refuses as `requireWebhook` does; for another
 * channel as `requireWebhookChannel`, with 404 UNKNOWN_CHANNEL for one of another guild, or for a follower one that is no text channel,
 * and with 400 MAX_WEBHOOKS_PER_CHANNEL; then as `storedAvatar`, and a follower's image with INVALID_FORMAT at `avatar`
 * (rules/webhooks#change).
 */
export function changeWebhook(ports: Needs) {
  return async (caller: Caller, id: WebhookId, changes: WebhookChanges): Promise<WebhookObject> => {
    const { webhook } = await requireWebhook(ports, caller, id)
    const { channelId } = changes
    if (channelId === undefined || channelId === webhook.channelId)
      return webhookView(ports, await write(ports, caller, webhook, changes))
    const target = await requireTarget(ports, caller, webhook, channelId)
    return withinWebhooksOfChannel(ports, target.guild, channelId, async () =>
      webhookView(ports, await write(ports, caller, webhook, changes)),
    )
  }
}

/** Deletes a webhook; its messages stay. Refuses as `requireWebhook` (rules/webhooks#delete). */
export function deleteWebhook(ports: Pick<Ports, 'aggregates' | 'queries'>) {
  return async (caller: Caller, id: WebhookId): Promise<void> => {
    const { webhook } = await requireWebhook(ports, caller, id)
    await removeWebhook(ports, caller, webhook, { byToken: false })
  }
}

async function requireTarget(
  ports: Needs,
  caller: Caller,
  { guildId, kind }: WebhookRecord,
  channelId: ChannelId,
): Promise<ChannelAccess> {
  const target = await requireWebhookChannel(ports, caller, channelId)
  const isFitting = kind === webhookKinds.incoming || target.channel.type === channelTypes.text
  return target.guild.id === guildId && isFitting ? target : reject('UNKNOWN_CHANNEL')
}

async function write(ports: Needs, caller: Caller, webhook: WebhookRecord, changes: WebhookChanges) {
  if (webhook.kind === webhookKinds.follower && changes.avatar !== undefined)
    reject('INVALID_FORM_BODY', field('avatar', 'INVALID_FORMAT'))
  const { channelId } = changes
  return writeChanges(ports, caller, webhook, changes, {
    asAccount: caller.account.id,
    byToken: false,
    ...(channelId === undefined ? {} : { channelId }),
  })
}

/** Who changes a webhook: a member, or somebody with its token, for whom the limits of its creator count. */
interface Changing {
  readonly asAccount: WebhookRecord['creatorId']
  readonly byToken: boolean
  readonly channelId?: ChannelId
}

/** Writes changes that are allowed. Gives the webhook as it is then; refuses as `storedAvatar`, and with 404 UNKNOWN_WEBHOOK. */
export async function writeChanges(
  ports: ChangingNeeds,
  requester: Requester,
  webhook: WebhookRecord,
  { name, avatar: sent }: WebhookChanges,
  { asAccount, byToken, channelId }: Changing,
): Promise<WebhookRecord> {
  const { id } = webhook
  const avatar =
    sent === undefined ? undefined : await storedAvatar(ports, { asker: requester, accountId: asAccount }, id, sent)
  const changes: Partial<WebhookFields> = {
    ...(name === undefined ? {} : { name }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(channelId === undefined ? {} : { channelId }),
  }
  const { context } = requester
  await ports.aggregates.webhook.execute(id, { type: 'ChangeWebhook', changes, byToken }, context)
  await ports.readModels.reached(context.settled)
  return (await ports.queries.webhooks.find(id)) ?? reject('UNKNOWN_WEBHOOK')
}

/** Deletes a webhook. Refuses with 404 UNKNOWN_WEBHOOK for one that is deleted by now. */
export async function removeWebhook(
  ports: Pick<Ports, 'aggregates'>,
  { context }: Requester,
  { id }: WebhookRecord,
  { byToken }: { readonly byToken: boolean },
): Promise<void> {
  await ports.aggregates.webhook.execute(id, { type: 'DeleteWebhook', byToken }, context)
}
