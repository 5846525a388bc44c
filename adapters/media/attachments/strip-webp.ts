import type { ByteReader } from './byte-reader.ts'
import { exifOf, minimalExif_bytes, orientationIn } from './orientation.ts'

const header_bytes = 12
const [type_bytes, size_bytes] = [4, 4] as const
const piece_bytes = 65_536
/** Larger Exif data is not read. */
const exif_bytes_max = 65_536
const exifHeader = 'Exif\0\0'

/**
 * A WebP whose metadata is overwritten: its size stands at its beginning, so nothing of it may go. Exif data then says how the
 * picture is turned, and nothing else; XMP is zeros. What follows the file's own end goes.
 */
export async function* strippedWebp(reader: ByteReader): AsyncGenerator<Buffer> {
  const header = await reader.take(header_bytes)
  yield header
  let left = header.readUInt32LE(4) - 4
  while (left > 0) {
    const head = await reader.take(type_bytes + size_bytes)
    if (head.length < type_bytes + size_bytes) return
    yield head
    const [type, size] = [head.toString('latin1', 0, type_bytes), head.readUInt32LE(type_bytes)]
    const padded = size + (size % 2)
    left -= type_bytes + size_bytes + padded
    yield* type === 'EXIF' || type === 'XMP ' ? overwritten(reader, type, padded) : copied(reader, padded)
  }
}

async function* overwritten(reader: ByteReader, type: string, length: number): AsyncGenerator<Buffer> {
  const bytes = await reader.take(Math.min(length, exif_bytes_max))
  const zeros = Buffer.alloc(bytes.length)
  if (type === 'EXIF' && bytes.length >= minimalExif_bytes) exifOf(orientationIn(withoutHeader(bytes))).copy(zeros)
  yield zeros
  for await (const piece of copied(reader, length - bytes.length)) yield Buffer.alloc(piece.length)
}

/** Some programs write the header of JPEG's segment in front. */
function withoutHeader(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, exifHeader.length) === exifHeader ? exif.subarray(exifHeader.length) : exif
}

async function* copied(reader: ByteReader, length: number): AsyncGenerator<Buffer> {
  for (let left = length; left > 0;) {
    const piece = await reader.some(Math.min(left, piece_bytes))
    if (piece.length === 0) return
    left -= piece.length
    yield piece
  }
}
