import { isWithin, type AdminAcl } from '../../../domain/admin/acls.ts'
import type { AccountId, ArchiveId } from '../../../domain/ids/ids.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { downloadLink } from '../../identity/archives/download-links.ts'
import type { ArchiveRecord, ArchiveSubject, ArchiveSubjectType } from '../../ports/archives.ts'
import { archiveSubjectTypes } from '../../identity/archives/archive-subject.ts'
import type { Ports } from '../../ports.ts'
import { boundOf } from '../acls/acl-bound.ts'
import { archiveObject, type ArchiveObject } from './archive-object.ts'

export interface WantedArchives {
  readonly type: ArchiveSubjectType | 'all'
  /** Null for all subjects of the type. */
  readonly subjectId: Snowflake | null
  readonly requestedBy: AccountId | null
  readonly includesExpired: boolean
  readonly limit: number
}

/**
 * The archives that administrators have asked for, newest first. With `all`, those of the subjects that the caller may
 * read. Refuses with MISSING_ACL for a subject that it may not read. See rules/administration#archives.
 */
export function listArchives({ archives }: Pick<Ports, 'archives'>) {
  return async (caller: Caller, wanted: WantedArchives): Promise<readonly ArchiveObject[]> => {
    if (wanted.type !== 'all') requireReads(caller, wanted.type)
    const found = await archives.list({
      types: wanted.type === 'all' ? archiveSubjectTypes.filter((type) => mayRead(caller, type)) : [wanted.type],
      subjectId: wanted.subjectId,
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
    const { url, expiresAt } = downloadLink(ports, await findNamed(ports, caller, named), caller)
    return { downloadUrl: url, expiresAt }
  }
}

async function findNamed(
  { archives }: Pick<Ports, 'archives'>,
  caller: Caller,
  { subject, archiveId: id }: NamedArchive,
): Promise<ArchiveRecord | undefined> {
  requireReads(caller, subject.type)
  const found = await archives.find(id)
  const isNamed = found?.subject.type === subject.type && found.subject.id === subject.id
  return isNamed && found.origin === 'admin' ? found : undefined
}

const triggers: Readonly<Record<ArchiveSubjectType, AdminAcl>> = {
  user: 'archive:trigger:user',
  guild: 'archive:trigger:guild',
}

const mayRead = (caller: Caller, type: ArchiveSubjectType): boolean =>
  isWithin(boundOf(caller), 'archive:view_all') || isWithin(boundOf(caller), triggers[type])

function requireReads(caller: Caller, type: ArchiveSubjectType): void {
  if (!mayRead(caller, type)) reject('MISSING_ACL')
}
