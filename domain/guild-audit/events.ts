import type { AccountId, ChannelId, EntryId, GuildId, MessageId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'

/**
 * Audit log entries about what is in no aggregate: deletions of messages. Only ids: the content is gone. Kept forever: members
 * are added, never renamed or reused.
 */
export type GuildAuditEvent =
  | { readonly type: 'MessageDeletionRecorded'; readonly data: MessageDeletionRecorded }
  | { readonly type: 'BulkDeletionRecorded'; readonly data: BulkDeletionRecorded }
  | { readonly type: 'MessageDeletionsFolded'; readonly data: MessageDeletionsFolded }

interface Recorded {
  /** The id of its entry. */
  readonly entryId: EntryId
  readonly guildId: GuildId
  readonly channelId: ChannelId
}

export interface MessageDeletionRecorded extends Recorded {
  readonly messageId: MessageId
}

export interface BulkDeletionRecorded extends Recorded {
  /** How many messages the request named. */
  readonly count: number
}

/** The entries of single deletions by one actor in one channel became one entry. */
export interface MessageDeletionsFolded extends Recorded {
  /** The account that deleted them; null if no account did. */
  readonly deletedBy: AccountId | null
  /** The entries that it replaces, oldest first: at least two. */
  readonly folded: readonly EntryId[]
  /** Their common reason; null if their reasons differ. */
  readonly reason: string | null
}

export const guildAuditEvents: EventCatalog<GuildAuditEvent> = {
  category: 'guild_audit',
  events: {
    MessageDeletionRecorded: { version: 1 },
    BulkDeletionRecorded: { version: 1 },
    MessageDeletionsFolded: { version: 1 },
  },
}
