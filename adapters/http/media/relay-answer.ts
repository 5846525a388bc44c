import type { receiveUpload } from '../../../application/conversations/attachments/receive-upload.ts'
import type { CommandOrigins } from '../../../application/ports/command-origins.ts'
import type { UploadHolder } from '../../../application/ports/uploads.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { emptyAnswer, textAnswer, type Answer } from '../answer.ts'
import type { Exchange } from '../request/exchange.ts'
import { arrivingBytes } from '../request/input/arriving-bytes.ts'
import type { Holder, ShareBounds, Shares } from '../request/shares/shares.ts'

/** What receives the pieces of uploads. */
export type UploadSource = ReturnType<typeof receiveUpload> & {
  readonly newId: ReturnType<CommandOrigins['fresh']>['newId']
}

/** How many pieces of uploads may arrive at once. Each has some hundred KiB in memory. */
export const relayBounds: ShareBounds = { all_max: 64, strangers_max: 0, address_max: 32, identity_max: 10 }

/** What receiving a piece takes of a request. */
interface RelayRequest extends Pick<Exchange, 'params' | 'search' | 'raw' | 'share'> {
  readonly facts: Pick<Exchange['facts'], 'ip'>
}

const refusals = {
  invalid: textAnswer(401, 'This address is not valid, or has expired.'),
  mismatch: textAnswer(403, 'This address was signed for another upload.'),
  gone: textAnswer(404, 'This upload does not exist any more, or a message has it already.'),
  infected: textAnswer(422, 'The file contains a virus or other malware.'),
  short: textAnswer(400, 'The body is shorter than the file was said to be.'),
  'too large': textAnswer(413, 'The body is larger than the file was said to be.'),
  busy: textAnswer(503, 'Too many files are arriving. Try again later.'),
  full: textAnswer(503, 'There is no space for the file. Try again later.'),
} as const

/**
 * Receives a piece of an upload: `PUT /v1/relay/<upload>?t=`. The address is the credential. A refusal is plain text: 400 for a body
 * that is too short, 401 for an address that is wrong or has expired, 403 for one that was signed for another upload, 404 for an
 * upload that is gone, 413 for a body that is too long, 422 for a file in which the scanner found something, 503 while too many
 * arrive, or without space. See rules/messages#uploads.
 */
export function relayAnswers(source: UploadSource, slots: Shares) {
  return async ({ params, search, raw, share, facts: { ip } }: RelayRequest): Promise<Answer> => {
    const { key } = params as { readonly key: string }
    const token = new URLSearchParams(search).get('t') ?? ''
    const found = await source.expected(key, token, timestamp(Date.now()))
    if (typeof found === 'string') return refusals[found]
    const { size_bytes } = found.piece
    const length = raw.headers['content-length']
    if (length !== undefined && Number(length) !== size_bytes)
      return refusals[Number(length) > size_bytes ? 'too large' : 'short']
    const holder = holderOf(found.upload, ip)
    if (!slots.take(holder, 1)) return refusals.busy
    const arriving = arrivingBytes(raw)
    if (!raw.complete) share.leave()
    try {
      const kept = await source.receive({ ...found, bytes: arriving.bytes, ip, newId: () => source.newId() })
      return kept === 'kept' ? emptyAnswer(200) : refusals[kept]
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return refusals.full
      throw error
    } finally {
      arriving.end()
      slots.give(holder, 1)
    }
  }
}

function holderOf({ accountId, holder }: UploadHolder, ip: string): Holder {
  return { identity: `${holder.split(' ', 1).join('')} ${accountId}`, address: networkOf(ip, oneClient), isKnown: true }
}
