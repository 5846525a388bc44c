import sharp from 'sharp'
import { readApng, type Apng, type ApngFrame } from '../formats/apng.ts'
import { decodingLimits } from './limits.ts'
import { TooLargeImage, UnreadableImage } from './unreadable-image.ts'

/** The frames of an animation. */
export interface Frames {
  readonly width: number
  readonly height: number
  /** Whole frames one below the other, as raw pixels of four bytes. */
  readonly frames: Buffer
  readonly delays_ms: readonly number[]
  /** 0 means forever. */
  readonly loops: number
}

const pixel_bytes = 4

/** Draws the frames of an animated PNG; sharp reads only the first one. Rejects with UnreadableImage. */
export async function animatedPngFrames(bytes: Buffer): Promise<Frames> {
  const apng = readApng(bytes, decodingLimits.frames_max)
  if (!apng) throw new UnreadableImage('frames are missing')
  const { width, height, loops } = apng
  if (width * height * apng.frames.length > decodingLimits.heldAnimation_pixels_max)
    throw new TooLargeImage('too large')
  const canvas = Buffer.alloc(width * height * pixel_bytes)
  const frames: Buffer[] = []
  for (const frame of apng.frames) frames.push(await drawn(apng, canvas, frame))
  return { width, height, frames: Buffer.concat(frames), delays_ms: apng.frames.map(({ delay_ms }) => delay_ms), loops }
}

/** Draws a frame on the canvas, gives the visible result, and leaves the canvas as the next frame needs it. */
async function drawn(apng: Apng, canvas: Buffer, frame: ApngFrame): Promise<Buffer> {
  const before = frame.dispose === 'restore' ? Buffer.from(canvas) : undefined
  const { data, info } = await sharp(frame.png, { failOn: 'error', limitInputPixels: decodingLimits.frame_pixels_max })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.width !== frame.width || info.height !== frame.height)
    throw new UnreadableImage('a frame is not what it says')
  for (let row = 0; row < frame.height; row += 1) {
    const at = ((frame.top + row) * apng.width + frame.left) * pixel_bytes
    const part = data.subarray(row * frame.width * pixel_bytes, (row + 1) * frame.width * pixel_bytes)
    if (frame.blend === 'replace') part.copy(canvas, at)
    else layOver(canvas, at, part)
  }
  const seen = Buffer.from(canvas)
  if (frame.dispose === 'clear') clear(apng, canvas, frame)
  else before?.copy(canvas)
  return seen
}

function clear({ width }: Apng, canvas: Buffer, frame: ApngFrame): void {
  for (let row = 0; row < frame.height; row += 1) {
    const at = ((frame.top + row) * width + frame.left) * pixel_bytes
    canvas.fill(0, at, at + frame.width * pixel_bytes)
  }
}

/** Blends pixels over existing ones by their alpha. */
function layOver(canvas: Buffer, from: number, part: Buffer): void {
  for (let at = 0; at < part.length; at += pixel_bytes) {
    const above = (part[at + 3] ?? 0) / 255
    if (above === 0) continue
    const below = ((canvas[from + at + 3] ?? 0) / 255) * (1 - above)
    const alpha = above + below
    for (let channel = 0; channel < 3; channel += 1) {
      const mixed = ((part[at + channel] ?? 0) * above + (canvas[from + at + channel] ?? 0) * below) / alpha
      canvas[from + at + channel] = Math.round(mixed)
    }
    canvas[from + at + 3] = Math.round(alpha * 255)
  }
}
