import sharp, { type Sharp } from 'sharp'
import { recogniseImage, type RecognisedImage } from '../formats/image-format.ts'
import { jxlHeader } from '../formats/jxl-header.ts'
import { readSvg, rendererBytes } from '../formats/svg.ts'
import { animatedPngFrames, type Frames } from './animated-png.ts'
import { decodeHeif, decodeJxl, type RawImage } from './held-formats.ts'
import { decodingLimits } from './limits.ts'
import { mainColour } from './main-colour.ts'
import { TooLargeImage, UnreadableImage } from './unreadable-image.ts'

/** An image as it is stored: WebP, with nothing of the original except its pixels. */
export interface DecodedImage {
  /**
   * Whether the original is animated, even if only its first frame can be read: an animated JPEG XL, a HEIF sequence, an SVG.
   */
  readonly animated: boolean
  /**
   * Whether its format is for still images, and it is not animated. A GIF or APNG never counts as still, whatever its frames
   * are.
   */
  readonly isStill: boolean
  readonly width: number
  readonly height: number
  /** The still image: its first frame. */
  readonly still: Uint8Array
  /** All frames; null if it is not animated, or if its other frames can't be read. */
  readonly moving: Uint8Array | null
  /** The main colour of the still image, as 24 bits of RGB; null if nothing is visible. */
  readonly colour: number | null
}

const { frame_pixels_max, stored_side_max, svgSide_min, time_ms_max } = decodingLimits
const quality = 90
/** The lowest effort is enough for an icon. */
const effort = 2

/** Decodes an image and encodes it again. Rejects with UnreadableImage, of the kind TooLargeImage where it is beyond the limits. */
export async function decode(bytes: Buffer): Promise<DecodedImage> {
  const recognised = recogniseImage(bytes)
  // Of AVIF, stills alone are accepted.
  if (!recognised || (recognised.format === 'avif' && recognised.animated))
    throw new UnreadableImage('of no known format')
  try {
    const { still, moving } = await decodeAs(recognised, bytes)
    const { data, info } = await written(still)
    return {
      animated: recognised.animated,
      isStill: !recognised.animated && recognised.format !== 'gif' && recognised.format !== 'apng',
      width: info.width,
      height: info.height,
      still: data,
      moving: moving ? (await written(moving)).data : null,
      colour: await mainColour(data),
    }
  } catch (error) {
    throw error instanceof UnreadableImage ? error : new UnreadableImage('it can not be decoded', { cause: error })
  }
}

interface Opened {
  readonly still: Sharp
  readonly moving?: Sharp
}

async function decodeAs({ format, animated }: RecognisedImage, bytes: Buffer): Promise<Opened> {
  if (format === 'heif') return { still: fromRaw(await decodeHeif(bytes)) }
  if (format === 'jxl') {
    const header = jxlHeader(bytes)
    if (!header) throw new UnreadableImage('without a header')
    if (header.width * header.height > decodingLimits.jxl_pixels_max) throw new TooLargeImage('too large')
    return { still: fromRaw(await decodeJxl(bytes)) }
  }
  // Only the first frame of an animated SVG can be read.
  if (format === 'svg') return { still: await drawnSvg(bytes) }
  await checkSize(bytes)
  if (!animated) return { still: open(bytes) }
  if (format === 'apng') return { still: open(bytes), moving: await animation(await animatedPngFrames(bytes)) }
  await checkFrames(bytes)
  const limitInputPixels = decodingLimits.animation_pixels_max
  return { still: open(bytes), moving: sharp(bytes, { ...input, animated: true, limitInputPixels }) }
}

/** Checks what the file's header says of one frame, before anything is decoded. */
async function checkSize(bytes: Buffer): Promise<void> {
  const { width, height, pageHeight } = await sharp(bytes, { ...input, limitInputPixels: false }).metadata()
  if (width * (pageHeight ?? height) > frame_pixels_max) throw new TooLargeImage('too large')
}

/** An SVG has no pixels of its own: one that names a small size is drawn larger, since it loses nothing by that. */
async function drawnSvg(bytes: Buffer): Promise<Sharp> {
  const text = readSvg(bytes)
  if (!text) throw new UnreadableImage('of no known format')
  const svg = rendererBytes(text)
  const { width, height } = await sharp(svg, { ...input, limitInputPixels: false }).metadata()
  const scale = Math.max(1, svgSide_min / Math.max(width, height))
  if (width * height * scale ** 2 > frame_pixels_max) throw new TooLargeImage('too large')
  return sharp(svg, { ...input, density: Math.min(svgDensity * scale, svgDensity_max) })
}

/** At the first, the renderer draws one pixel for each unit of an SVG. */
const [svgDensity, svgDensity_max] = [72, 100_000]

const input = { failOn: 'error', limitInputPixels: frame_pixels_max, sequentialRead: true } as const

function open(bytes: Buffer): Sharp {
  return sharp(bytes, input).autoOrient()
}

function fromRaw({ data, width, height }: RawImage): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } })
}

/** Checks the file's header before any frame is decoded. */
async function checkFrames(bytes: Buffer): Promise<void> {
  const {
    pages = 1,
    width,
    pageHeight,
    height,
  } = await sharp(bytes, { ...input, animated: true, limitInputPixels: false }).metadata()
  const pixels = width * (pageHeight ?? height) * pages
  if (pages > decodingLimits.frames_max || pixels > decodingLimits.animation_pixels_max) {
    throw new TooLargeImage('too many frames')
  }
}

/** Raw frames can't be resized as an animation: they are encoded in full size first, and read again. */
async function animation({ frames, width, height, delays_ms, loops }: Frames): Promise<Sharp> {
  const raw = { width, height: height * delays_ms.length, channels: 4, pageHeight: height } as const
  const limitInputPixels = decodingLimits.animation_pixels_max
  const written = await sharp(frames, { raw, limitInputPixels })
    .webp({ lossless: true, effort: 0, delay: [...delays_ms], loop: loops })
    .toBuffer()
  return sharp(written, { animated: true, limitInputPixels })
}

function written(image: Sharp) {
  const within = { width: stored_side_max, height: stored_side_max, fit: 'inside', withoutEnlargement: true } as const
  return image
    .resize(within)
    .webp({ quality, effort })
    .timeout({ seconds: time_ms_max / 1000 })
    .toBuffer({ resolveWithObject: true })
}
