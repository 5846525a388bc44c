import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { UnreadableImage } from './unreadable-image.js'
import { decodingLimits } from './limits.js'

/** Red, green, blue and alpha of each pixel, one byte each, line by line. */
export interface RawImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

const resolve = createRequire(import.meta.url)

/** The first picture of a HEIC or HEIF file, after its size was checked against the limits. */
export async function decodeHeif(bytes: Buffer): Promise<RawImage> {
  const { default: heic } = await import('heic-decode')
  const pictures = await heic.all({ buffer: bytes })
  try {
    const [first] = pictures
    if (!first || first.width * first.height > decodingLimits.heldFrame_pixels_max)
      throw new UnreadableImage('too large')
    const { data, width, height } = await first.decode()
    return { data: bytesOf(data), width, height }
  } finally {
    pictures.dispose()
  }
}

/** The first frame of a JPEG XL file. */
export async function decodeJxl(bytes: Buffer): Promise<RawImage> {
  const { default: decode, init } = await import('@jsquash/jxl/decode.js')
  await (jxl ??= loadJxl(init))
  const { data, width, height } = await decode(new Uint8Array(bytes).buffer)
  return { data: bytesOf(data), width, height }
}

let jxl: Promise<void> | undefined

/** The decoder is made for browsers: it gets its WebAssembly program, and the one browser class that its result uses. */
async function loadJxl(init: (given: { readonly wasmBinary: Uint8Array }) => Promise<unknown>): Promise<void> {
  const wasmBinary = await readFile(resolve.resolve('@jsquash/jxl/codec/dec/jxl_dec.wasm'))
  Object.assign(globalThis, { ImageData: PlainImageData })
  await init({ wasmBinary })
}

/** Stands in for a browser's ImageData, as far as the result needs it. */
class PlainImageData {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}

function bytesOf(data: Uint8ClampedArray): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}
