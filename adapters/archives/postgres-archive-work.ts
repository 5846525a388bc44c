import type { ArchiveFiles, ArchiveTurn, ArchiveWork, BegunArchive } from '../../application/ports/archives.ts'
import { archiveSteps } from '../../application/identity/archives/archive-steps.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { archiveName, begunRow, nameColumns } from './archive-rows.ts'

/** How long a worker that reports no progress counts as living. */
const archiveLease_s = 60
/** An archive fails after this many attempts. */
export const archiveAttempts_max = 5

/** An archive can be downloaded for so many days after its completion. */
const downloadable_days = 7
/** How long the record of an expired or failed archive is kept. */
const kept_days = 90
/** The pause before a failed attempt is repeated; it doubles after each further failure. */
const retry_s = 5
/** The most archives whose bytes one run removes. */
const expired_max = 100
const lastError = 'The archive could not be built'

const lease = sql.fragment`now() + make_interval(secs => ${archiveLease_s})`

/** The table of archives, as workers use it. */
export function postgresArchiveWork(database: Queries, files: Pick<ArchiveFiles, 'remove'>): ArchiveWork {
  /** False if the turn is not the archive's newest, or the archive is gone. */
  const change = async (
    { archiveId, turn }: ArchiveTurn,
    changes: ReturnType<typeof sql.fragment>,
  ): Promise<boolean> => {
    const changed = await database.maybeOne(sql.type(archiveName)`
      update archives.archives set ${changes}
      where archive_id = ${archiveId} and turn = ${turn} and completed_at is null and failed_at is null
      returning ${nameColumns}`)
    return changed !== undefined
  }
  return {
    begin: () => begin(database),
    progress: (turn, percent, step) =>
      change(turn, sql.fragment`percent = ${percent}, step = ${step}, run_at = ${lease}`),
    complete: (turn, { size_bytes: size, parts_count: parts }) =>
      change(
        turn,
        sql.fragment`completed_at = now(), size_bytes = ${size}, parts_count = ${parts}, percent = 100,
          step = ${archiveSteps.completed}, error_message = null,
          downloadable_until = now() + make_interval(days => ${downloadable_days}),
          expires_at = coalesce(expires_at, now() + make_interval(days => ${downloadable_days}))`,
      ),
    release: async (turn) => {
      await change(turn, sql.fragment`attempts = attempts - 1, run_at = now()`)
    },
    fail: async (turn, { forGood } = { forGood: false }) => {
      const isLast = sql.fragment`(${forGood} or attempts >= ${archiveAttempts_max})`
      await change(
        turn,
        sql.fragment`run_at = now() + make_interval(secs => ${retry_s} * 2 ^ attempts),
          failed_at = case when ${isLast} then now() end,
          error_message = case when ${isLast} then ${lastError} end,
          step = case when ${isLast} then ${archiveSteps.failed} else step end`,
      )
    },
    sweep: () => sweep(database, files),
  }
}

/** An archive whose time is over although it was begun was left by a worker that died. */
async function begin(database: Queries): Promise<BegunArchive | undefined> {
  const begun = await database.maybeOne(sql.type(begunRow)`
    update archives.archives set
      turn = turn + 1,
      attempts = attempts + 1,
      started_at = coalesce(started_at, now()),
      run_at = ${lease},
      failed_at = case when attempts >= ${archiveAttempts_max} then now() end,
      error_message = case when attempts >= ${archiveAttempts_max} then ${lastError} end,
      step = case when attempts >= ${archiveAttempts_max} then ${archiveSteps.failed} else step end
    where archive_id = (
      select archive_id from archives.archives
      where completed_at is null and failed_at is null and run_at <= now()
      order by run_at limit 1 for update skip locked)
    returning ${nameColumns}, turn, includes_attachments, filter, requested_at, failed_at`)
  if (begun?.hasFailed !== false) return undefined
  const { hasFailed: _, ...archive } = begun
  return archive
}

/** Failed archives have no time of expiry of their own: what their turns have left goes at once. */
async function sweep(database: Queries, files: Pick<ArchiveFiles, 'remove'>): Promise<void> {
  const over = await database.any(sql.type(archiveName)`
    select ${nameColumns} from archives.archives
    where has_files and (expires_at <= now() and completed_at is not null or failed_at is not null)
    limit ${expired_max}`)
  for (const archive of over) {
    await files.remove(archive)
    await database.any(sql.type(archiveName)`
      update archives.archives set has_files = false where archive_id = ${archive.archiveId} returning ${nameColumns}`)
  }
  await database.any(sql.type(archiveName)`
    delete from archives.archives
    where not has_files and greatest(expires_at, failed_at) < now() - make_interval(days => ${kept_days})
    returning ${nameColumns}`)
}
