import { archiveId, type ArchiveId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ArchiveRecord } from '../../ports/archives.ts'
import type { MessageFilter } from '../../ports/message-filter.ts'
import type { Ports } from '../../ports.ts'
import { archiveProgress } from '../../wire-objects/identity/archive-progress.ts'
import { downloadLink } from './download-links.ts'

type HarvestStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** A new archive, as the answer to its request. */
export interface RequestedHarvest {
  readonly harvest_id: ArchiveId
  readonly status: HarvestStatus
  readonly created_at: Timestamp
}

/** An archive as its holder sees it. */
export type HarvestObject = ReturnType<typeof harvestObject>

/** Begins an archive of the caller's data; with a filter, of only some of its messages. */
export function requestOwnArchive({ archives }: Pick<Ports, 'archives'>) {
  return async ({ account, context }: Caller, filter: MessageFilter | null): Promise<RequestedHarvest> => {
    const id = archiveId(context.newId())
    const { now } = context
    await archives.add({
      archiveId: id,
      subject: { type: 'user', id: account.id },
      origin: 'holder',
      requestedBy: account.id,
      includesAttachments: true,
      filter,
      requestedAt: now,
      expiresAt: null,
    })
    return { harvest_id: id, status: 'pending', created_at: now }
  }
}

/** The newest archive that the caller asked for; null if there is none. */
export function latestOwnArchive({ archives }: Pick<Ports, 'archives'>) {
  return async ({ account }: Caller): Promise<HarvestObject | null> => {
    const latest = await archives.latestOf(account.id)
    return latest ? harvestObject(latest) : null
  }
}

/** One archive that the caller asked for. Refuses with UNKNOWN_HARVEST. */
export function getOwnArchive(ports: Pick<Ports, 'archives'>) {
  return async (caller: Caller, id: ArchiveId): Promise<HarvestObject> =>
    harvestObject((await ownArchive(ports, caller, id)) ?? reject('UNKNOWN_HARVEST'))
}

/** A link to the archive. Refuses as `downloadLink` does. */
export function linkOwnArchive(ports: Pick<Ports, 'archives' | 'archiveLinkBox' | 'instance'>) {
  return async (
    caller: Caller,
    id: ArchiveId,
  ): Promise<{ readonly download_url: string; readonly expires_at: Timestamp }> => {
    const { url, expiresAt } = downloadLink(ports, await ownArchive(ports, caller, id), caller)
    return { download_url: url, expires_at: expiresAt }
  }
}

/** Undefined for the archives of others, and for those of administrators. */
async function ownArchive(
  { archives }: Pick<Ports, 'archives'>,
  { account }: Caller,
  id: ArchiveId,
): Promise<ArchiveRecord | undefined> {
  const found = await archives.find(id)
  return found?.subject.id === account.id && found.origin === 'holder' ? found : undefined
}

function harvestObject(archive: ArchiveRecord) {
  return {
    harvest_id: archive.archiveId,
    status: statusOf(archive),
    created_at: archive.requestedAt,
    ...archiveProgress(archive),
  }
}

function statusOf({ startedAt, completedAt, failedAt }: ArchiveRecord): HarvestStatus {
  if (failedAt !== null) return 'failed'
  if (completedAt !== null) return 'completed'
  return startedAt === null ? 'pending' : 'processing'
}
