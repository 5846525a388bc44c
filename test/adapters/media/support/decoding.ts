import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { openDecoder, type Decoder, type DecoderSettings } from '../../../../adapters/media/decoding/decoder.ts'

/** The compiled file: a separate process runs no TypeScript. */
export const program = new URL('../../../../dist/adapters/media/decoding/worker.js', import.meta.url)

/** For one client, the only one that sends images. `decode` gives undefined for what is not read; `outcome` says why. */
export function openDecoding(settings: DecoderSettings) {
  const { decode, close }: Decoder = openDecoder(settings)
  const read = (bytes: Uint8Array) => decode(bytes, { ip: '192.0.2.1' })
  return {
    decode: async (bytes: Uint8Array) => {
      const decoded = await read(bytes)
      return typeof decoded === 'string' ? undefined : decoded
    },
    outcome: async (bytes: Uint8Array) => {
      const decoded = await read(bytes)
      return typeof decoded === 'string' ? decoded : 'read'
    },
    close,
  }
}

const red = { r: 255, g: 0, b: 0 }
export const picture = (width = 16, height = 12, background: object = red) =>
  sharp({ create: { width, height, channels: 3, background } })
/** A picture with this many frames, each in another colour. */
export function inColours(count: number, side = 16) {
  const frames = Buffer.concat(
    Array.from({ length: count }, (_, index) => Buffer.alloc(side * side * 3, (index % 2) * 200)),
  )
  return sharp(frames, { raw: { width: side, height: side * count, channels: 3, pageHeight: side } })
}

/** A square with one bit for each pixel, where a decoder needs four bytes. */
export function blackPng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)))
  const chunk = (type: string, data: Buffer): readonly Buffer[] => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return [length, body, check]
  }
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
  const chunks = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks.flat()])
}

export const svg = (content: string, attributes = 'width="20" height="10"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`,
  )

/** The first pixel: red, green, blue. */
export async function firstPixel(bytes: Uint8Array, page = 0): Promise<readonly number[]> {
  const { data } = await sharp(bytes, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)]
}

export const near = (found: readonly number[], wanted: readonly number[]): boolean =>
  found.every((value, index) => Math.abs(value - (wanted[index] ?? 0)) < 24)
