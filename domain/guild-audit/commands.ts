import type {
  BulkDeletionRecorded,
  MessageDeletionRecorded,
  MessageDeletionsFolded,
  MessagePinRecorded,
} from './events.ts'

export type GuildAuditCommand =
  | ({ readonly type: 'RecordMessageDeletion' } & MessageDeletionRecorded)
  | ({ readonly type: 'RecordBulkDeletion' } & BulkDeletionRecorded)
  | ({ readonly type: 'RecordPin' } & MessagePinRecorded)
  | ({ readonly type: 'FoldMessageDeletions' } & MessageDeletionsFolded)
