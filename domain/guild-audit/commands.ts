import type { BulkDeletionRecorded, MessageDeletionRecorded, MessageDeletionsFolded } from './events.ts'

export type GuildAuditCommand =
  | ({ readonly type: 'RecordMessageDeletion' } & MessageDeletionRecorded)
  | ({ readonly type: 'RecordBulkDeletion' } & BulkDeletionRecorded)
  | ({ readonly type: 'FoldMessageDeletions' } & MessageDeletionsFolded)
