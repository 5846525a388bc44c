import { archiveId, type AccountId, type ArchiveId } from '../../../domain/ids/ids.js'
import { isWithin, type AdminAcl } from '../../../domain/admin/acls.js'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import { downloadLink } from '../../identity/archives/download-links.js'
import { archiveSteps, type ArchiveRecord } from '../../ports/archives.js'
import type { Ports } from '../../ports.js'
import { archiveProgress } from '../../wire-objects/identity/archive-progress.js'
import { boundOf } from '../acls/acl-bound.js'
import { requireTarget } from '../users/target-account.js'

/** What an archive can be of. Archives of guilds cannot be built yet, so there are none. */
export const archiveSubjects = ['user', 'guild'] as const
export type ArchiveSubject = (typeof archiveSubjects)[number]

/** The archive object (reference stores 4.8). */
export type ArchiveObject = ReturnType<typeof archiveObject>

/** How long an archive is kept, from its request on (reference stores 4.8). */
const kept_s = 365 * 24 * 3600

/**
 * Begins an archive of an account. Resolves before anything is collected. Refuses with UNKNOWN_USER. Contract: part 3, Trigger
 * user archive.
 */
export function triggerUserArchive({ aggregates, archives }: Pick<Ports, 'aggregates' | 'archives'>) {
  return async (
    { account, context }: Caller,
    target: AccountId,
    includesAttachments: boolean,
  ): Promise<ArchiveObject> => {
    await requireTarget({ aggregates }, target)
    const { now } = context
    const asked = {
      archiveId: archiveId(context.newId()),
      accountId: target,
      origin: 'admin',
      requestedBy: account.id,
      includesAttachments,
      requestedAt: now,
      expiresAt: secondsAfter(now, kept_s),
    } as const
    await archives.add({ ...asked, filter: null })
    return archiveObject({ ...asked, ...notBegun })
  }
}

const notBegun = {
  startedAt: null,
  completedAt: null,
  failedAt: null,
  size_bytes: null,
  percent: 0,
  step: archiveSteps.queued,
  errorMessage: null,
  downloadableUntil: null,
} as const

export interface WantedArchives {
  readonly subject: ArchiveSubject | 'all'
  readonly subjectId: AccountId | null
  readonly requestedBy: AccountId | null
  readonly includesExpired: boolean
  readonly limit: number
}

/**
 * The archives that administrators have asked for, newest first. With `all`, those of the subjects that the caller may read.
 * Refuses with MISSING_ACL for a subject that it may not read. Reference stores 4.8.
 */
export function listArchives({ archives }: Pick<Ports, 'archives'>) {
  return async (caller: Caller, wanted: WantedArchives): Promise<readonly ArchiveObject[]> => {
    if (wanted.subject !== 'all') requireReads(caller, wanted.subject)
    if (wanted.subject === 'guild' || !mayRead(caller, 'user')) return []
    const found = await archives.list({
      accountId: wanted.subjectId,
      requestedBy: wanted.requestedBy,
      unexpiredAt: wanted.includesExpired ? null : caller.context.now,
      limit: wanted.limit,
    })
    return found.map(archiveObject)
  }
}

/** An archive as its path names it. */
export interface NamedArchive {
  readonly subject: ArchiveSubject
  readonly subjectId: AccountId
  readonly archiveId: ArchiveId
}

/** One archive; null if there is none. Refuses with MISSING_ACL for a subject that the caller may not read. */
export function getArchive(ports: Pick<Ports, 'archives'>) {
  return async (caller: Caller, named: NamedArchive): Promise<ArchiveObject | null> => {
    const found = await findNamed(ports, caller, named)
    return found ? archiveObject(found) : null
  }
}

/** A link to the archive. Refuses with MISSING_ACL, then as `downloadLink` does. */
export function linkArchive(ports: Pick<Ports, 'archives' | 'archiveLinkBox' | 'instance'>) {
  return async (
    caller: Caller,
    named: NamedArchive,
  ): Promise<{ readonly downloadUrl: string; readonly expiresAt: Timestamp }> => {
    const { url, expiresAt } = downloadLink(ports, await findNamed(ports, caller, named), caller.context.now)
    return { downloadUrl: url, expiresAt }
  }
}

async function findNamed(
  { archives }: Pick<Ports, 'archives'>,
  caller: Caller,
  { subject, subjectId, archiveId: id }: NamedArchive,
): Promise<ArchiveRecord | undefined> {
  requireReads(caller, subject)
  const found = subject === 'user' ? await archives.find(id) : undefined
  return found?.accountId === subjectId && found.origin === 'admin' ? found : undefined
}

const triggers: Readonly<Record<ArchiveSubject, AdminAcl>> = {
  user: 'archive:trigger:user',
  guild: 'archive:trigger:guild',
}

const mayRead = (caller: Caller, subject: ArchiveSubject): boolean =>
  isWithin(boundOf(caller), 'archive:view_all') || isWithin(boundOf(caller), triggers[subject])

function requireReads(caller: Caller, subject: ArchiveSubject): void {
  if (!mayRead(caller, subject)) reject('MISSING_ACL')
}

function archiveObject(archive: ArchiveRecord) {
  return {
    archive_id: archive.archiveId,
    subject_type: 'user' as const,
    subject_id: archive.accountId,
    requested_by: archive.requestedBy,
    requested_at: archive.requestedAt,
    ...archiveProgress(archive),
  }
}
