import type { AccountId, ChannelId, EntryId, GuildId, MessageId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'

const auditEntry = { entryId: 'text', guildId: 'text', channelId: 'text' } as const

/**
 * Audit log entries about what is in no aggregate: deletions and pins of messages. Only ids: the content is elsewhere, or gone. Kept forever: members
 * are added, never renamed or reused.
 */
export const guildAuditEvents = {
  MessageDeletionRecorded: event<MessageDeletionRecorded>({ ...auditEntry, messageId: 'text' }),
  BulkDeletionRecorded: event<BulkDeletionRecorded>({ ...auditEntry, count: 'number' }),
  MessagePinRecorded: event<MessagePinRecorded>({ ...auditEntry, messageId: 'text', pinned: 'flag' }),
  MessageDeletionsFolded: event<MessageDeletionsFolded>({
    ...auditEntry,
    deletedBy: 'text or null',
    folded: 'list',
    reason: 'text or null',
  }),
}

export type GuildAuditEvent = EventOf<typeof guildAuditEvents>

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

export interface MessagePinRecorded extends Recorded {
  readonly messageId: MessageId
  /** False if it was unpinned. */
  readonly pinned: boolean
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
