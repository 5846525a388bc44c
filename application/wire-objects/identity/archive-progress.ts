import type { ArchiveRecord } from '../../ports/archives.ts'

/** What both kinds of archive objects say of an archive. */
export function archiveProgress(archive: ArchiveRecord) {
  return {
    started_at: archive.startedAt,
    completed_at: archive.completedAt,
    failed_at: archive.failedAt,
    file_size: archive.size_bytes === null ? null : String(archive.size_bytes),
    progress_percent: archive.percent,
    progress_step: archive.step,
    error_message: archive.errorMessage,
    download_url_expires_at: archive.downloadableUntil,
    expires_at: archive.expiresAt,
  }
}
