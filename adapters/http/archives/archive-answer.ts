import { reject } from '../../../application/commands/refused.ts'
import type { OpenDownload } from '../../../application/identity/archives/download-links.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { notStored, type Answer } from '../answer.ts'
import type { Exchange } from '../request/exchange.ts'
import type { ShareBounds, Shares } from '../request/shares/shares.ts'
import { timedBody } from '../timed-pieces.ts'

/** How many downloads may be under way. Each has one part of its archive in memory, some MiB with its copies. */
export const downloadBounds: ShareBounds = { all_max: 16, strangers_max: 16, address_max: 4, identity_max: 4 }
/** A client that takes longer for a piece of 1 MiB makes room for others. */
const piece_ms_max = 120_000

/** What a download takes of a request. */
interface ArchiveRequest extends Pick<Exchange, 'path' | 'search' | 'raw'> {
  readonly facts: Pick<Exchange['facts'], 'ip'>
}

/**
 * Sends the archive that a link names: `GET /v1/harvest-downloads/<id>?token=`. The link is the credential. Its
 * download has a slot among those of the account that asked for the archive, and of the client's address: nobody else
 * is kept from theirs. Refuses as `openDownload` does, and with SERVICE_UNAVAILABLE while no slot is left.
 */
export function archiveAnswers(open: OpenDownload, downloads: Shares, { pieceLimit_ms = piece_ms_max } = {}) {
  return async ({ path, search, raw, facts: { ip } }: ArchiveRequest): Promise<Answer> => {
    const token = new URLSearchParams(search).get('token') ?? ''
    const id = path.slice(path.lastIndexOf('/') + 1)
    const { requestedBy, size_bytes, bytes } = await open(id, token, timestamp(Date.now()))
    const headers = {
      'content-type': 'application/zip',
      'content-length': String(size_bytes),
      'content-disposition': `attachment; filename="archive-${id}.zip"`,
      'content-security-policy': "default-src 'none'; sandbox",
      ...notStored,
    }
    if (raw.method === 'HEAD') return { status: 200, headers, body: null }
    const holder = { identity: requestedBy, address: networkOf(ip, oneClient), isKnown: true }
    if (!downloads.take(holder, 1)) return reject('SERVICE_UNAVAILABLE')
    return { status: 200, headers, body: timedBody(bytes, pieceLimit_ms, () => downloads.give(holder, 1)) }
  }
}
