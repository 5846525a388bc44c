import type { AccountId, ChannelId, EntryId, GuildId, MessageId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'

const auditEntry = { entryId: 'text', guildId: 'text', channelId: 'text' } as const

/**
 * What a guild's audit log tells of that changes no aggregate: deletions of messages, which are in no stream. Ids alone: what was
 * written is gone. Kept forever: members are added, never renamed or reused.
 */
export const guildAuditEvents = {
  MessageDeletionRecorded: event<MessageDeletionRecorded>({ ...auditEntry, messageId: 'text' }),
  BulkDeletionRecorded: event<BulkDeletionRecorded>({ ...auditEntry, count: 'number' }),
  MessageDeletionsFolded: event<MessageDeletionsFolded>({
    ...auditEntry,
    deletedBy: 'text or null',
    folded: 'list',
    reason: 'text or null',
  }),
}

export type GuildAuditEvent = EventOf<typeof guildAuditEvents>

interface Recorded {
  /** The entry that it raises. */
  readonly entryId: EntryId
  readonly guildId: GuildId
  readonly channelId: ChannelId
}

export interface MessageDeletionRecorded extends Recorded {
  readonly messageId: MessageId
}

export interface BulkDeletionRecorded extends Recorded {
  /** How many messages were asked to go. */
  readonly count: number
}

/** Entries of single deletions, of one actor in one channel, became one entry. */
export interface MessageDeletionsFolded extends Recorded {
  /** Who deleted; null where no account did. */
  readonly deletedBy: AccountId | null
  /** The entries that it stands for, oldest first: at least two. */
  readonly folded: readonly EntryId[]
  /** What all of them gave as their reason; null where they did not give the same. */
  readonly reason: string | null
}
