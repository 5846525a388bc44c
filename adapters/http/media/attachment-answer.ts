import type { Readable } from 'node:stream'
import { contentTypeOf } from '../../../domain/attachments/content-type.ts'
import { timestamp, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { AttachmentName } from '../../../application/ports/attachments.ts'
import { textAnswer, withHeaders, type Answer, type Headers } from '../answer.ts'
import type { Exchange } from '../request/exchange.ts'
import type { ShareBounds, Shares } from '../request/shares/shares.ts'
import { timedBody } from '../timed-pieces.ts'
import { dispositionOf } from './content-disposition.ts'
import { rangeOf, type ByteRange } from './byte-range.ts'

/** Where attachments are, and what opens them. */
export interface AttachmentSource {
  /** What an address opens, and for how many more seconds it does; undefined if it opens nothing. */
  open(path: string, search: string, now: Timestamp): OpenedAttachment | undefined
  /** The file; undefined if there is none, or none any more. */
  find(name: AttachmentName): Promise<StoredAttachment | undefined>
}

export interface OpenedAttachment {
  readonly name: AttachmentName
  readonly left_s: number
}

export interface StoredAttachment {
  readonly size_bytes: number
  read(range?: ByteRange): Promise<Readable>
}

/** How many files may be on their way at once. Each has some pieces of 64 KiB in memory. */
export const attachmentBounds: ShareBounds = { all_max: 512, strangers_max: 512, address_max: 64, identity_max: 64 }
/** A client that takes longer for a piece makes room for others. */
const piece_ms_max = 60_000

/** What reading a file takes of a request. */
interface AttachmentRequest extends Pick<Exchange, 'path' | 'search' | 'raw'> {
  readonly facts: Pick<Exchange['facts'], 'ip'>
}

/**
 * Sends the file that an address opens: `GET /media/attachments/<channel>/<attachment>/<filename>?ex=&is=&hm=`, whole or one
 * range of it. The address is the credential. `download=true` has browsers keep it instead of showing it. A refusal is plain
 * text: 403 for an address that is wrong or has expired, 404 for a file that is gone, 416 for a range beyond it, and 503 while
 * too many files are on their way. See rules/messages#addresses-of-files.
 */
export function attachmentAnswers(source: AttachmentSource, slots: Shares, { pieceLimit_ms = piece_ms_max } = {}) {
  return async ({ path, search, raw, facts: { ip } }: AttachmentRequest): Promise<Answer> => {
    const opened = source.open(path, search, timestamp(Date.now()))
    if (!opened) return refused(403, 'This address is not valid, or has expired.')
    const file = await source.find(opened.name)
    if (!file) return refused(404, 'This file does not exist any more.')
    const { size_bytes } = file
    const range = rangeOf(raw.headers.range, size_bytes)
    if (range === 'beyond')
      return refused(416, 'This file has no such range.', { 'content-range': `bytes */${size_bytes}` })
    const isForced = new URLSearchParams(search).get('download') === 'true'
    const about = partOf(range, size_bytes)
    const headers = { ...headersOf(opened, isForced), ...about.headers }
    if (raw.method === 'HEAD') return { status: about.status, headers, body: null }
    const address = networkOf(ip, oneClient)
    const holder = { identity: address, address, isKnown: false }
    if (!slots.take(holder, 1)) return refused(503, 'Too many files are on their way. Try again later.')
    try {
      const bytes = await file.read(range)
      const body = timedBody(bytes, pieceLimit_ms, () => {
        bytes.destroy()
        slots.give(holder, 1)
      })
      return { status: about.status, headers, body }
    } catch (error) {
      slots.give(holder, 1)
      throw error
    }
  }
}

function refused(status: number, text: string, headers: Headers = {}): Answer {
  const answer = textAnswer(status, text)
  return { ...answer, headers: withHeaders(answer.headers, { 'cache-control': 'no-store', ...headers }) }
}

function partOf(
  range: ByteRange | undefined,
  size_bytes: number,
): { readonly status: number; readonly headers: Headers } {
  if (!range) return { status: 200, headers: { 'content-length': String(size_bytes) } }
  const { first, last } = range
  return {
    status: 206,
    headers: {
      'content-length': String(last - first + 1),
      'content-range': `bytes ${first}-${last}/${size_bytes}`,
    },
  }
}

/** A page that shows the file runs none of it, whatever it claims to be. A cache may keep it as long as its address is good. */
function headersOf({ name: { filename }, left_s }: OpenedAttachment, isForced: boolean): Headers {
  const type = contentTypeOf(filename)
  return {
    'content-type': type,
    'content-disposition': dispositionOf(filename, type, isForced),
    'accept-ranges': 'bytes',
    'cache-control': `public, max-age=${left_s}`,
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-robots-tag': 'noindex',
  }
}
