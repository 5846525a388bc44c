import { open, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { SeenPicture } from '../../../application/ports/attachments.ts'
import { recogniseImage, type RecognisedImage } from '../formats/image-format.ts'
import { jxlHeader } from '../formats/jxl-header.ts'
import { decodingLimits } from './limits.ts'
import { UnreadableImage } from './unreadable-image.ts'

/** The format, and what it says of itself, stands in these bytes. */
const head_bytes = 1024 * 1024
/** The longer side of what a ThumbHash is made of, in pixels. */
const thumb_side = 100
const { frame_pixels_max, time_ms_max } = decodingLimits

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * What the picture in a file looks like, without holding the file: its size as it is shown, and a ThumbHash where it can be decoded
 * within the limits. Rejects with UnreadableImage for a file that is none, or none that names its size: an SVG is drawn by nobody
 * here.
 */
export async function look(path: string): Promise<SeenPicture> {
  const head = await headOf(path)
  const recognised = recogniseImage(head)
  if (!recognised || recognised.format === 'svg') throw new UnreadableImage('no picture')
  try {
    const size = await sizeOf(path, head, recognised)
    const isDecoded = recognised.format !== 'jxl' && size.width * size.height <= frame_pixels_max
    return { ...size, animated: recognised.animated, placeholder: isDecoded ? await placeholderOf(path) : null }
  } catch (error) {
    throw error instanceof UnreadableImage ? error : new UnreadableImage('it can not be read', { cause: error })
  }
}

async function headOf(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, head_bytes)), 0, undefined, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function sizeOf(path: string, head: Buffer, { format }: RecognisedImage): Promise<Size> {
  if (format === 'jxl') {
    const header = jxlHeader(head)
    if (!header) throw new UnreadableImage('without a header')
    return { width: header.width, height: header.height }
  }
  const { autoOrient, pageHeight } = await sharp(path, { limitInputPixels: false }).metadata()
  return { width: autoOrient.width, height: pageHeight ?? autoOrient.height }
}

/** Null for a picture that is broken, or of a format that is not decoded. */
async function placeholderOf(path: string): Promise<string | null> {
  try {
    const { data, info } = await sharp(path, { limitInputPixels: frame_pixels_max, sequentialRead: true })
      .autoOrient()
      .resize({ width: thumb_side, height: thumb_side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .timeout({ seconds: time_ms_max / 1000 })
      .toBuffer({ resolveWithObject: true })
    return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
  } catch (error) {
    // Its size is known all the same.
    return error instanceof Error ? null : Promise.reject(error)
  }
}
