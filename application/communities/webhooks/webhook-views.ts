import type { AccountId } from '../../../domain/ids/ids.ts'
import type { WebhookRecord } from '../../ports/queries/webhook-queries.ts'
import type { Ports } from '../../ports.ts'
import { webhookObject, type WebhookObject } from '../../wire-objects/communities/webhook-objects.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { openToken } from './webhook-tokens.ts'

type Needs = Pick<Ports, 'queries' | 'webhookBox'>

/** Webhooks as members who manage them see them, in the same order. */
export async function webhookViews(
  ports: Needs,
  webhooks: readonly WebhookRecord[],
): Promise<readonly WebhookObject[]> {
  const { accounts, guilds } = ports.queries
  const creators = await accounts.findMany([...new Set(webhooks.map(({ creatorId }) => creatorId))])
  const records = new Map(creators.map((record) => [record.id, record]))
  const creatorOf = (id: AccountId) => records.get(id) ?? deletedAccount(id)
  const sources = webhooks.flatMap(({ source }) => source ?? [])
  const [summaries, channels] =
    sources.length === 0
      ? [[], []]
      : await Promise.all([
          guilds.summariesOf([...new Set(sources.map(({ guildId }) => guildId))]),
          guilds.channelNamesOf([...new Set(sources.map(({ channelId }) => channelId))]),
        ])
  return webhooks.map((webhook) =>
    webhookObject({
      webhook,
      token: openToken(ports, webhook),
      creator: creatorOf(webhook.creatorId),
      source: {
        guild: summaries.find(({ id }) => id === webhook.source?.guildId),
        channel: channels.find(({ id }) => id === webhook.source?.channelId),
      },
    }),
  )
}

/** The same for one webhook. */
export async function webhookView(ports: Needs, webhook: WebhookRecord): Promise<WebhookObject> {
  const [view] = await webhookViews(ports, [webhook])
  if (!view) throw new Error('A webhook has no object')
  return view
}
