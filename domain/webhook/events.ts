import type { AccountId, ChannelId, GuildId, WebhookId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'

const webhook = {
  webhookId: 'text',
  guildId: 'text',
  channelId: 'text',
  name: 'text',
  avatar: 'text or null',
  creatorId: 'text',
  kind: 'number',
  source: 'object or null',
} as const

/** The events of a webhook. Kept forever: members are added, never renamed or reused. */
export const webhookEvents = {
  WebhookCreated: event<WebhookCreated>({ ...webhook, token: 'text or null' }),
  WebhookChanged: event<WebhookChanged>({
    webhookId: 'text',
    guildId: 'text',
    channelId: 'text',
    kind: 'number',
    before: 'object',
    after: 'object',
    byToken: 'flag',
  }),
  WebhookDeleted: event<WebhookDeleted>({ ...webhook, byToken: 'flag' }),
}

export type WebhookEvent = EventOf<typeof webhookEvents>

/** What posts messages into a channel under a name of its own. */
export interface Webhook {
  readonly webhookId: WebhookId
  readonly guildId: GuildId
  readonly channelId: ChannelId
  /** 1-80 characters. */
  readonly name: string
  /** The hash of its image; null for none. */
  readonly avatar: string | null
  readonly creatorId: AccountId
  readonly kind: WebhookKind
  /** The announcement channel that a follower brings messages from; null for an incoming one. */
  readonly source: WebhookSource | null
}

/** The numbers of the contract's `type`: an incoming one has a token, a follower brings messages of another channel. */
export const webhookKinds = { incoming: 1, follower: 2 } as const
export type WebhookKind = (typeof webhookKinds)[keyof typeof webhookKinds]

export interface WebhookSource {
  readonly guildId: GuildId
  readonly channelId: ChannelId
}

export interface WebhookCreated extends Webhook {
  /** Sealed with a key of the instance, as base64: whoever knows it may write as the webhook. Null for a follower. */
  readonly token: string | null
}

/** What can be changed. */
export type WebhookFields = Pick<Webhook, 'name' | 'avatar' | 'channelId'>

/** The fields that differ, at least one. */
export interface WebhookChanged extends Pick<Webhook, 'webhookId' | 'guildId' | 'kind'> {
  /** Its channel before. */
  readonly channelId: ChannelId
  readonly before: Partial<WebhookFields>
  readonly after: Partial<WebhookFields>
  /** Whether its token was enough, without a member of the guild. */
  readonly byToken: boolean
}

/** The record as it was, without its token. */
export interface WebhookDeleted extends Webhook {
  readonly byToken: boolean
}
