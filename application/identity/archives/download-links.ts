import { accountId, archiveId, type AccountId, type ArchiveId } from '../../../domain/ids/ids.ts'
import { parseSnowflake, snowflake } from '../../../domain/ids/snowflake.ts'
import { hasEnded, msOf, timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { stillSpeaks } from '../../access/still-speaks.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { ArchiveRecord, OpenedArchive } from '../../ports/archives.ts'
import type { Ports } from '../../ports.ts'

/** The purpose of the box for links. Kept forever: another one would make every link invalid. */
export const archiveLinks = 'archive links'

/** A link is good for seven days at most. */
const link_ms = 7 * 24 * 3_600_000

/** A link that downloads an archive without further credentials. */
export interface DownloadLink {
  readonly url: string
  readonly expiresAt: Timestamp
}

/**
 * A new link to an archive, good for seven days, until the archive expires, or the caller's delegations end. Refuses,
 * in this order, with UNKNOWN_HARVEST, HARVEST_FAILED, HARVEST_NOT_READY and HARVEST_EXPIRED. See rules/users#archives.
 */
export function downloadLink(
  { archiveLinkBox, instance }: Pick<Ports, 'archiveLinkBox' | 'instance'>,
  archive: ArchiveRecord | undefined,
  { account, context: { now } }: Pick<Caller, 'account' | 'context'>,
): DownloadLink {
  if (!archive) return reject('UNKNOWN_HARVEST')
  if (archive.failedAt !== null) return reject('HARVEST_FAILED')
  if (archive.completedAt === null || archive.expiresAt === null) return reject('HARVEST_NOT_READY')
  if (hasEnded(archive.expiresAt, now)) return reject('HARVEST_EXPIRED')
  const expiresAt = timestamp(Math.min(msOf(now) + link_ms, msOf(archive.expiresAt)))
  const sealed = [expiresAt, account.id, account.delegationVersion].join(' ')
  const token = archiveLinkBox.seal([archive.archiveId], sealed).toString('base64url')
  return { url: `${instance.publicUrl}/v1/harvest-downloads/${archive.archiveId}?token=${token}`, expiresAt }
}

/** An archive to send, and the account that asked for it. */
export interface Download extends OpenedArchive {
  readonly requestedBy: AccountId
}

/** Whoever has a link may download what it names. */
export type OpenDownload = (id: string, token: string, now: Timestamp) => Promise<Download>

/**
 * The bytes that a link names. Refuses with UNKNOWN_HARVEST for anything that is not a link of this server, and with
 * HARVEST_EXPIRED once the link or the archive has expired, or the account that the link was made for has ended its delegations.
 */
export function openDownload({
  archiveLinkBox,
  archives,
  queries,
}: Pick<Ports, 'archiveLinkBox' | 'archives' | 'queries'>): OpenDownload {
  return async (text, token, now) => {
    const id = archiveNamed(text)
    const link = linkIn({ archiveLinkBox }, id, token)
    if (hasEnded(link.expiresAt, now)) return reject('HARVEST_EXPIRED')
    const archive = await archives.find(id)
    if (!archive) return reject('UNKNOWN_HARVEST')
    if (archive.expiresAt === null || hasEnded(archive.expiresAt, now)) return reject('HARVEST_EXPIRED')
    const account = await queries.accounts.find(link.accountId ?? archive.requestedBy)
    if (!account || account.isErased || !stillSpeaks(account, link)) return reject('HARVEST_EXPIRED')
    const opened = await archives.open(id)
    return opened ? { ...opened, requestedBy: archive.requestedBy } : reject('HARVEST_EXPIRED')
  }
}

function archiveNamed(text: string): ArchiveId {
  const parsed = parseSnowflake(text)
  return parsed.ok ? archiveId(parsed.id) : reject('UNKNOWN_HARVEST')
}

interface SealedLink {
  readonly expiresAt: Timestamp
  /** Who asked for the link; undefined in links from before it was sealed with them. These are its requester's, under 0. */
  readonly accountId: AccountId | undefined
  readonly delegationVersion: number
}

/** What the box can't open, it did not seal for this archive. */
function linkIn({ archiveLinkBox }: Pick<Ports, 'archiveLinkBox'>, id: ArchiveId, token: string): SealedLink {
  const bytes = Buffer.from(token, 'base64url')
  // Decoding passes over what is too much.
  if (bytes.toString('base64url') !== token) return reject('UNKNOWN_HARVEST')
  try {
    const sealed = archiveLinkBox.open([id], bytes)
    const [expiresAt = '', account, version = '0'] = sealed.split(' ')
    return {
      expiresAt: timestamp(Date.parse(expiresAt)),
      accountId: account === undefined ? undefined : accountId(snowflake(account)),
      delegationVersion: Number(version),
    }
  } catch (error) {
    return reject(error instanceof Error ? 'UNKNOWN_HARVEST' : 'INTERNAL_SERVER_ERROR')
  }
}
