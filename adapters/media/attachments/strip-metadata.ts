import { byteReader, type ByteReader } from './byte-reader.ts'
import { strippedJpeg } from './strip-jpeg.ts'
import { strippedPng } from './strip-png.ts'
import { strippedWebp } from './strip-webp.ts'

const signature_bytes = 12
const piece_bytes = 65_536
const pngSignature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')

/**
 * The bytes of a file without what its camera or editor wrote about the picture: where and when it was taken, by whom, with what,
 * and a preview of it. The pixels stay as they are, bit by bit, and so does how the picture is turned. JPEG, PNG and WebP are known
 * by their first bytes, whatever the name of the file is. All other files stay as they are.
 */
export async function* withoutMetadata(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = byteReader(pieces)
  const start = await reader.take(signature_bytes)
  reader.putBack(start)
  const stripped = strippedBy(start)
  if (!stripped) return yield* rest(reader)
  yield* stripped(reader)
  // What follows the end of a picture goes. It is read nevertheless: who sends it waits until all of it was.
  while ((await reader.some(piece_bytes)).length > 0);
}

/** What strips files that begin so; undefined for those that stay as they are. */
function strippedBy(start: Buffer): ((reader: ByteReader) => AsyncGenerator<Buffer>) | undefined {
  if (start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff) return strippedJpeg
  if (start.subarray(0, pngSignature.length).equals(pngSignature)) return strippedPng
  const isWebp = start.toString('latin1', 0, 4) === 'RIFF' && start.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? strippedWebp : undefined
}

/** All that is left. */
async function* rest(reader: ByteReader): AsyncGenerator<Buffer> {
  for (let piece = await reader.some(piece_bytes); piece.length > 0; piece = await reader.some(piece_bytes)) yield piece
}
