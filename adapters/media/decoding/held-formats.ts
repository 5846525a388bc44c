import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { TooLargeImage, UnreadableImage } from './unreadable-image.ts'
import { decodingLimits } from './limits.ts'

/** Red, green, blue and alpha of each pixel, one byte each, line by line. */
export interface RawImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

type Pixels = Omit<RawImage, 'data'> & { readonly data: Uint8ClampedArray }

const resolve = createRequire(import.meta.url)

/** The picture that a HEIC or HEIF file names as its primary one, after its size was checked against the limits. */
export async function decodeHeif(bytes: Buffer): Promise<RawImage> {
  const { default: libheif } = await import('libheif-js/wasm-bundle.js')
  await libheif.ready
  const decoder = new libheif.HeifDecoder()
  const pictures = decoder.decode(bytes)
  try {
    const shown = pictures.find((picture) => picture.is_primary()) ?? pictures[0]
    if (!shown) throw new UnreadableImage('without a picture')
    const [width, height] = [shown.get_width(), shown.get_height()]
    if (width * height > decodingLimits.frame_pixels_max) throw new TooLargeImage('too large')
    const into: Pixels = { data: new Uint8ClampedArray(width * height * pixel_bytes), width, height }
    const drawn = await new Promise<Pixels | null>((resolve) => shown.display(into, resolve))
    if (!drawn) throw new UnreadableImage('it can not be decoded')
    return { data: bytesOf(drawn.data), width, height }
  } finally {
    for (const picture of pictures) picture.free()
    decoder.decoder?.delete()
  }
}

const pixel_bytes = 4

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
