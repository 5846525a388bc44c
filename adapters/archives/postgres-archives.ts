import type { ArchiveFiles, ArchiveRecord, Archives } from '../../application/ports/archives.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { archiveColumns, archiveName, archiveRow, nameColumns, type StoredArchive } from './archive-rows.ts'

/** Archives in a table of their own; their bytes are elsewhere. `onAdded` is called after each request for one. */
export function postgresArchives(
  database: Queries,
  files: Pick<ArchiveFiles, 'read' | 'removeAllOf'>,
  onAdded: () => void = () => undefined,
): Archives {
  return {
    async add(archive) {
      const { archiveId, subject, origin, requestedBy, includesAttachments, filter, requestedAt, expiresAt } = archive
      await database.any(sql.type(archiveName)`
        insert into archives.archives
          (archive_id, subject_type, subject_id, origin, requested_by, includes_attachments, filter, requested_at, expires_at)
        values (${archiveId}, ${subject.type}, ${subject.id}, ${origin}, ${requestedBy}, ${includesAttachments},
          ${filter && JSON.stringify(filter)}::jsonb, ${requestedAt}, ${expiresAt})
        on conflict (archive_id) do nothing`)
      onAdded()
    },
    find: async (archiveId) =>
      plain(
        await database.maybeOne(sql.type(archiveRow)`
          select ${archiveColumns} from archives.archives where archive_id = ${archiveId}`),
      ),
    latestOf: async (account) =>
      plain(
        await database.maybeOne(sql.type(archiveRow)`
          select ${archiveColumns} from archives.archives where subject_type = 'user' and subject_id = ${account} and origin = 'holder'
          order by archive_id desc limit 1`),
      ),
    list: async ({ types, subjectId, requestedBy, unexpiredAt, limit }) =>
      (
        await database.any(sql.type(archiveRow)`
          select ${archiveColumns} from archives.archives
          where origin = 'admin'
            and subject_type = any(${sql.array([...types], 'text')})
            and (${subjectId}::int8 is null or subject_id = ${subjectId})
            and (${requestedBy}::int8 is null or requested_by = ${requestedBy})
            and (${unexpiredAt}::timestamptz is null or expires_at > ${unexpiredAt})
          order by archive_id desc limit ${limit}`)
      ).map(recordOf),
    async open(archiveId) {
      const found = await database.maybeOne(sql.type(archiveRow)`
        select ${archiveColumns} from archives.archives where archive_id = ${archiveId} and has_files`)
      if (!found || found.size_bytes === null || found.parts_count === null) return undefined
      return { size_bytes: found.size_bytes, bytes: files.read(found, found.parts_count) }
    },
    async removeAllOf(account) {
      await database.any(sql.type(archiveName)`
        delete from archives.archives where subject_type = 'user' and subject_id = ${account} returning ${nameColumns}`)
      await files.removeAllOf(account)
    },
  }
}

const plain = (found: StoredArchive | undefined): ArchiveRecord | undefined => found && recordOf(found)

function recordOf({ turn: _, parts_count: _parts, ...record }: StoredArchive): ArchiveRecord {
  return record
}
