import { crc32 } from 'node:zlib'
import type { ByteReader } from './byte-reader.ts'
import { exifOf, isUpright, orientationIn } from './orientation.ts'

const signature_bytes = 8
const [length_bytes, type_bytes, crc_bytes] = [4, 4, 4] as const
/** Texts, among them what editors and Adobe's XMP say, and when it was changed. */
const dropped: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME'])
const piece_bytes = 65_536
/** Larger Exif data is not read, and goes. */
const exif_bytes_max = 65_536

/** A PNG or APNG without texts, time and Exif data, and without what follows its end. If it is turned, Exif data says just that. */
export async function* strippedPng(reader: ByteReader): AsyncGenerator<Buffer> {
  yield await reader.take(signature_bytes)
  for (;;) {
    const head = await reader.take(length_bytes + type_bytes)
    if (head.length < length_bytes + type_bytes) return
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', length_bytes)]
    if (type === 'eXIf' && length <= exif_bytes_max) {
      const exif = await reader.take(length)
      await reader.take(crc_bytes)
      const orientation = orientationIn(exif)
      if (!isUpright(orientation)) yield chunk('eXIf', exifOf(orientation))
      continue
    }
    const isDropped = dropped.has(type) || type === 'eXIf'
    if (!isDropped) yield head
    let left = length + crc_bytes
    while (left > 0) {
      const piece = await reader.some(Math.min(left, piece_bytes))
      if (piece.length === 0) return
      left -= piece.length
      if (!isDropped) yield piece
    }
    if (type === 'IEND') return
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(length_bytes)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const crc = Buffer.alloc(crc_bytes)
  crc.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, crc])
}
