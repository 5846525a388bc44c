import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { ArchiveRecord, ArchiveSubjectType, BegunArchive } from '../../application/ports/archives.ts'
import { archiveSubject } from '../../application/identity/archives/archive-subject.ts'
import type { MessageFilter } from '../../application/ports/message-filter.ts'
import type { AccountId, ArchiveId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

interface SubjectColumns {
  readonly subject_type: ArchiveSubjectType
  readonly subject_id: Snowflake
}

interface ArchiveColumns extends SubjectColumns {
  readonly archive_id: ArchiveId
  readonly origin: ArchiveRecord['origin']
  readonly requested_by: AccountId
  readonly includes_attachments: boolean
  readonly requested_at: Timestamp
  readonly started_at: Timestamp | null
  readonly completed_at: Timestamp | null
  readonly failed_at: Timestamp | null
  readonly size_bytes: string | null
  readonly parts_count: number | null
  readonly turn: number
  readonly percent: number
  readonly step: string
  readonly error_message: string | null
  readonly downloadable_until: Timestamp | null
  readonly expires_at: Timestamp | null
}

/** An archive, and where its bytes are. */
export type StoredArchive = ArchiveRecord & { readonly turn: number; readonly parts_count: number | null }

export const archiveRow = rowOf((row: ArchiveColumns): StoredArchive => ({
  archiveId: row.archive_id,
  subject: archiveSubject(row.subject_type, row.subject_id),
  origin: row.origin,
  requestedBy: row.requested_by,
  includesAttachments: row.includes_attachments,
  requestedAt: row.requested_at,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  failedAt: row.failed_at,
  size_bytes: row.size_bytes === null ? null : Number(row.size_bytes),
  parts_count: row.parts_count,
  turn: row.turn,
  percent: row.percent,
  step: row.step,
  errorMessage: row.error_message,
  downloadableUntil: row.downloadable_until,
  expiresAt: row.expires_at,
}))

export const archiveColumns = sql.fragment`archive_id, subject_type, subject_id, origin, requested_by, includes_attachments, requested_at,
  started_at, completed_at, failed_at, size_bytes, parts_count, turn, percent, step, error_message, downloadable_until,
  expires_at`

interface BegunColumns extends SubjectColumns {
  readonly archive_id: ArchiveId
  readonly turn: number
  readonly includes_attachments: boolean
  readonly filter: MessageFilter | null
  readonly requested_at: Timestamp
  readonly failed_at: Timestamp | null
}

export const begunRow = rowOf((row: BegunColumns): BegunArchive & { readonly hasFailed: boolean } => ({
  archiveId: row.archive_id,
  subject: archiveSubject(row.subject_type, row.subject_id),
  turn: row.turn,
  includesAttachments: row.includes_attachments,
  filter: row.filter,
  requestedAt: row.requested_at,
  hasFailed: row.failed_at !== null,
}))

/** For statements that give the ids of the rows that they changed. */
export const archiveName = rowOf((row: Pick<ArchiveColumns, 'archive_id' | keyof SubjectColumns>) => ({
  archiveId: row.archive_id,
  subject: archiveSubject(row.subject_type, row.subject_id),
}))

/** The columns of `archiveName`. */
export const nameColumns = sql.fragment`archive_id, subject_type, subject_id`
