import type { ArchiveRecord } from '../../ports/archives.ts'
import { archiveProgress } from '../../wire-objects/identity/archive-progress.ts'

/** An archive as administrators see it. */
export type ArchiveObject = ReturnType<typeof archiveObject>

export function archiveObject(archive: ArchiveRecord) {
  return {
    archive_id: archive.archiveId,
    subject_type: archive.subject.type,
    subject_id: archive.subject.id,
    requested_by: archive.requestedBy,
    requested_at: archive.requestedAt,
    ...archiveProgress(archive),
  }
}
