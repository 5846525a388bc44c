import type { GuildId } from '../ids/ids.ts'
import type { WebhookCreated } from './events.ts'

/** The life of a webhook: absent, created, or deleted, from where only a rewind of its guild brings it back. */
export type WebhookState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'created' } & WebhookCreated)
  | { readonly status: 'deleted'; readonly guildId: GuildId }
