import type { ByteReader } from './byte-reader.ts'
import { exifOf, isUpright, orientationIn } from './orientation.ts'

const mark = 0xff
const [startOfImage, endOfImage, startOfScan, comment] = [0xd8, 0xd9, 0xda, 0xfe] as const
const [firstRestart, lastRestart, temporary] = [0xd0, 0xd7, 0x01] as const
const [firstApp, lastApp] = [0xe0, 0xef] as const
/** JFIF, colour profiles, and how the colours of Adobe's files are stored: without these a picture looks different. */
const [jfif, app1, colourProfile, adobe] = [0xe0, 0xe1, 0xe2, 0xee] as const
const exifHeader = Buffer.from('Exif\0\0', 'latin1')
const profileHeader = 'ICC_PROFILE\0'
const length_bytes = 2
const piece_bytes = 65_536

/**
 * A JPEG without comments and application segments, except for those that its colours need, and without what follows its end, which
 * may be a second picture with metadata of its own. If it is turned, an Exif segment says just that.
 */
export async function* strippedJpeg(reader: ByteReader): AsyncGenerator<Buffer> {
  let hasOrientation = false
  for (;;) {
    const marker = await nextMarker(reader)
    if (marker === undefined) return
    if (marker === endOfImage) return yield Buffer.from([mark, marker])
    if (isAlone(marker)) {
      yield Buffer.from([mark, marker])
      continue
    }
    const head = await reader.take(length_bytes)
    if (head.length < length_bytes) return
    const body = await reader.take(Math.max(0, head.readUInt16BE(0) - length_bytes))
    if (isKept(marker, body)) yield Buffer.concat([Buffer.from([mark, marker]), head, body])
    else if (marker === app1 && !hasOrientation) {
      const turned = turnedSegment(body)
      hasOrientation = turned.length > 0
      yield turned
    }
    if (marker === startOfScan) yield* scan(reader)
  }
}

/** The next marker; undefined at the end. What stands before it is no part of the picture. */
async function nextMarker(reader: ByteReader): Promise<number | undefined> {
  let isMarked = false
  for (;;) {
    const piece = await reader.some(piece_bytes)
    if (piece.length === 0) return undefined
    for (let at = 0; at < piece.length; at += 1) {
      if (!isMarked) {
        at = piece.indexOf(mark, at)
        if (at === -1) break
        isMarked = true
      } else if (piece[at] !== mark) {
        const marker = piece[at] ?? 0
        isMarked = false
        if (marker === 0) continue
        reader.putBack(piece.subarray(at + 1))
        return marker
      }
    }
  }
}

/** Whether a marker stands without a length and a body. */
function isAlone(marker: number): boolean {
  return marker === startOfImage || marker === temporary || (marker >= firstRestart && marker <= lastRestart)
}

function isKept(marker: number, body: Buffer): boolean {
  if (marker === comment) return false
  if (marker < firstApp || marker > lastApp) return true
  if (marker === colourProfile) return body.toString('latin1', 0, profileHeader.length) === profileHeader
  return (marker === jfif && body.toString('latin1', 0, 5) === 'JFIF\0') || marker === adobe
}

/** A segment that says how the picture is turned, if the given one says that it is. */
function turnedSegment(body: Buffer): Buffer {
  if (!body.subarray(0, exifHeader.length).equals(exifHeader)) return Buffer.alloc(0)
  const orientation = orientationIn(body.subarray(exifHeader.length))
  if (isUpright(orientation)) return Buffer.alloc(0)
  const exif = exifOf(orientation)
  const head = Buffer.alloc(4)
  head.writeUInt16BE((mark << 8) | app1, 0)
  head.writeUInt16BE(length_bytes + exifHeader.length + exif.length, 2)
  return Buffer.concat([head, exifHeader, exif])
}

/** The data of a scan, up to the marker that ends it, which stays to be read. */
async function* scan(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const piece = await reader.some(piece_bytes)
    if (piece.length === 0) return
    const end = endOfScan(piece)
    if (end === undefined) {
      yield piece
      continue
    }
    yield piece.subarray(0, end)
    const pair = Buffer.concat([piece.subarray(end), await atLeastOneAfter(reader, piece, end)])
    if (endOfScan(pair) === 0) return reader.putBack(pair)
    yield pair.subarray(0, 1)
    reader.putBack(pair.subarray(1))
  }
}

/** The marker of a mark at the end of a piece is in the next one. */
async function atLeastOneAfter(reader: ByteReader, piece: Buffer, mark_at: number): Promise<Buffer> {
  return mark_at + 1 < piece.length ? Buffer.alloc(0) : reader.take(1)
}

/** Where a marker begins that ends a scan, or a mark at the end of the piece, whose marker is not at hand; undefined without one. */
function endOfScan(piece: Buffer): number | undefined {
  for (let at = piece.indexOf(mark); at !== -1; at = piece.indexOf(mark, at + 1)) {
    const next = piece[at + 1]
    if (next === undefined) return at
    if (next === 0 || next === mark || (next >= firstRestart && next <= lastRestart)) continue
    return at
  }
  return undefined
}
