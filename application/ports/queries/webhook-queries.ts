import type { AccountId, ChannelId, GuildId, WebhookId } from '../../../domain/ids/ids.ts'
import type { Webhook } from '../../../domain/webhook/events.ts'

/** A webhook as the read model holds it. */
export interface WebhookRecord extends Omit<Webhook, 'webhookId'> {
  readonly id: WebhookId
  /** Sealed with a key of the instance, as base64; null for a follower. */
  readonly token: string | null
}

/** Webhooks of channels that exist. Those of a deleted channel are as if they were deleted with it. */
export interface WebhookQueries {
  find(webhook: WebhookId): Promise<WebhookRecord | undefined>
  /** In the order of their ids. */
  ofChannel(channel: ChannelId): Promise<readonly WebhookRecord[]>
  /** In the order of their ids. */
  ofGuild(guild: GuildId): Promise<readonly WebhookRecord[]>
  countOfChannel(channel: ChannelId): Promise<number>
  countOfGuild(guild: GuildId): Promise<number>
  /** The followers of an announcement channel, in the order of their ids. */
  following(source: ChannelId): Promise<readonly WebhookRecord[]>
  /** Those that an account has created, in the order of their ids. */
  createdBy(account: AccountId): Promise<readonly WebhookRecord[]>
  /** Those of these that exist, in no order. */
  findMany(webhooks: readonly WebhookId[]): Promise<readonly WebhookRecord[]>
}
