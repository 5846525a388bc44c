import { Readable } from 'node:stream'
import { reject } from '../../../application/commands/refused.js'
import type { OpenDownload } from '../../../application/identity/archives/download-links.js'
import { timestamp } from '../../../domain/kernel/timestamp.js'
import { notStored, type Answer } from '../server/answer.js'
import type { Exchange } from '../server/exchange.js'
import { ClientTooSlow, timed } from '../server/timed-pieces.js'

/** Each download has one part of its archive in memory, some MiB with its copies. */
export const downloads_max = 16
/** A client that takes longer for a piece of 1 MiB makes room for others. */
const piece_ms_max = 120_000

/**
 * Sends the archive that a link names: `GET /v1/harvest-downloads/<id>?token=` (reference stores 5.3). The link is the credential.
 * Refuses as `openDownload` does, and with SERVICE_UNAVAILABLE while `downloads_max` are under way.
 */
export function archiveAnswers(open: OpenDownload, { pieceLimit_ms = piece_ms_max } = {}) {
  let underWay = 0
  return async ({ path, search, raw }: Pick<Exchange, 'path' | 'search' | 'raw'>): Promise<Answer> => {
    const token = new URLSearchParams(search).get('token') ?? ''
    const id = path.slice(path.lastIndexOf('/') + 1)
    const { size_bytes, bytes } = await open(id, token, timestamp(Date.now()))
    const headers = {
      'content-type': 'application/zip',
      'content-length': String(size_bytes),
      'content-disposition': `attachment; filename="archive-${id}.zip"`,
      'content-security-policy': "default-src 'none'; sandbox",
      ...notStored,
    }
    if (raw.method === 'HEAD') return { status: 200, headers, body: null }
    if (underWay >= downloads_max) return reject('SERVICE_UNAVAILABLE')
    underWay += 1
    const giveUp = (): void => void body.destroy(new ClientTooSlow())
    const body = Readable.from(timed(bytes, pieceLimit_ms, giveUp), { objectMode: true, highWaterMark: 1 })
    body.once('close', () => (underWay -= 1))
    return { status: 200, headers, body }
  }
}
