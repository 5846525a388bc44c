import type { WebhookCreated, WebhookFields } from './events.ts'

export type WebhookCommand = CreateWebhook | ChangeWebhook | DeleteWebhook | RestoreWebhook

/** The sender has made sure that the creator may, and that channel and guild may have one more. */
export interface CreateWebhook {
  readonly type: 'CreateWebhook'
  readonly webhook: WebhookCreated
}

interface Sent {
  /** Whether the sender has shown the token; otherwise it is a member who may manage webhooks. */
  readonly byToken: boolean
}

/** Absent: unchanged. */
export interface ChangeWebhook extends Sent {
  readonly type: 'ChangeWebhook'
  readonly changes: Partial<WebhookFields>
}

export interface DeleteWebhook extends Sent {
  readonly type: 'DeleteWebhook'
}

/** Brings a deleted webhook back as it was, with its token. */
export interface RestoreWebhook {
  readonly type: 'RestoreWebhook'
  readonly webhook: WebhookCreated
}
