import type { Channel } from '../../../domain/guild/channel.ts'
import { webhookId, type WebhookId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { idOf, type StreamName } from '../../../domain/streams.ts'
import type { WebhookCreated, WebhookFields } from '../../../domain/webhook/events.ts'
import type { WebhookState } from '../../../domain/webhook/state.ts'
import { stateAs, stateAt } from '../history/stream-states.ts'
import { webhooksThatStand } from '../history/streams-of-guild.ts'
import { inGroups } from './in-groups.ts'
import type { PlanningNeeds, RewindQuestion } from './rewind-question.ts'

/** A webhook that gets its name and channel of before. */
export interface RenewedWebhook {
  readonly id: WebhookId
  readonly name: string
  readonly changes: Partial<Pick<WebhookFields, 'name' | 'channelId'>>
}

/** What brings the webhooks of a guild back. */
export interface WebhooksPlan {
  readonly deleted: readonly { readonly id: WebhookId; readonly name: string }[]
  readonly restored: readonly WebhookCreated[]
  readonly renewed: readonly RenewedWebhook[]
  readonly lost: readonly { readonly name: string; readonly why: 'channel_gone' }[]
}

/**
 * Webhooks that were made since are deleted, those that were deleted since come back with their tokens and without their images, and
 * those that were renamed or moved are as they were.
 */
export async function planWebhooks(
  ports: PlanningNeeds,
  channels: readonly Channel[],
  { guildId, to }: RewindQuestion,
): Promise<WebhooksPlan> {
  const [then, today] = await Promise.all([
    webhooksThatStand(ports.queries, guildId, to),
    webhooksThatStand(ports.queries, guildId, undefined),
  ])
  const stood = new Set(then)
  const deleted = await inGroups(
    today.filter((stream) => !stood.has(stream)),
    async (stream) => {
      const id = webhookId(snowflake(idOf(stream)))
      const { state } = await ports.aggregates.webhook.load(id)
      return state.status === 'created' ? [{ id, name: state.name }] : []
    },
  )
  const back = await inGroups(then, (stream) => comingBack(ports, channels, stream, to))
  return {
    deleted,
    restored: back.flatMap((one) => ('token' in one ? [one] : [])),
    renewed: back.flatMap((one) => ('changes' in one ? [one] : [])),
    lost: back.flatMap((one) => ('why' in one ? [one] : [])),
  }
}

async function comingBack(
  { aggregates, events }: PlanningNeeds,
  channels: readonly Channel[],
  stream: StreamName,
  to: RewindQuestion['to'],
): Promise<readonly (WebhookCreated | RenewedWebhook | WebhooksPlan['lost'][number])[]> {
  const found = await stateAt({ events, revealed: () => true }, stream, { by: 'time', time: to })
  const past = stateAs<WebhookState>(found.state)
  if (past.status !== 'created') return []
  const { status: _, ...webhook } = past
  const { webhookId: id, name, channelId } = webhook
  const { state } = await aggregates.webhook.load(id)
  const isThere = channels.some((channel) => channel.id === channelId)
  if (state.status !== 'created') return isThere ? [{ ...webhook, avatar: null }] : [{ name, why: 'channel_gone' }]
  const changes = {
    ...(state.name === name ? {} : { name }),
    ...(state.channelId === channelId || !isThere ? {} : { channelId }),
  }
  return Object.keys(changes).length === 0 ? [] : [{ id, name: state.name, changes }]
}
