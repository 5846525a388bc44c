import type { GuildAuditEvent } from '../../guild-audit/events.ts'
import { auditActions } from '../audit-actions.ts'
import type { DraftsOf } from '../audit-entry.ts'

/** Pins of messages, and deletions, one by one and in bulk. Each event has its own entry id. */
export const messageDrafts: DraftsOf<GuildAuditEvent> = {
  MessageDeletionRecorded: ({ entryId: id, guildId, channelId: channel_id, messageId: targetId }) => [
    { id, guildId, actionType: auditActions.MESSAGE_DELETE, targetId, options: { channel_id }, changes: [] },
  ],
  BulkDeletionRecorded: ({ entryId: id, guildId, channelId: channel_id, count }) => [
    {
      id,
      guildId,
      actionType: auditActions.MESSAGE_BULK_DELETE,
      targetId: null,
      options: { channel_id, count },
      changes: [],
    },
  ],
  MessagePinRecorded: ({ entryId: id, guildId, channelId: channel_id, messageId: message_id, pinned }) => [
    {
      id,
      guildId,
      actionType: pinned ? auditActions.MESSAGE_PIN : auditActions.MESSAGE_UNPIN,
      targetId: message_id,
      options: { channel_id, message_id },
      changes: [],
    },
  ],
  MessageDeletionsFolded: ({ entryId: id, guildId, channelId: channel_id, deletedBy: userId, folded, reason }) => [
    {
      id,
      guildId,
      actionType: auditActions.MESSAGE_BULK_DELETE,
      userId,
      targetId: null,
      reason,
      options: { channel_id, count: folded.length },
      changes: [],
    },
  ],
}
