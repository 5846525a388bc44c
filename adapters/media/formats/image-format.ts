import { apngFrameCount } from './apng.ts'
import { gifMoves } from './gif.ts'
import { jxlHeader } from './jxl-header.ts'
import { readSvg, svgMoves } from './svg.ts'

export type ImageFormat = 'png' | 'apng' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'heif' | 'jxl' | 'svg'

/** The format of an image by its content, whatever its name or headers say. */
export interface RecognisedImage {
  readonly format: ImageFormat
  readonly animated: boolean
}

/** Recognises the format without decoding; undefined for an unknown format, and for one whose signature is cut off. */
export function recogniseImage(bytes: Buffer): RecognisedImage | undefined {
  if (startsWith(bytes, 0, '\u0089PNG\r\n\u001a\n')) return pngOrApng(bytes)
  if (startsWith(bytes, 0, '\u00ff\u00d8\u00ff')) return { format: 'jpeg', animated: false }
  if (startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a')) {
    return { format: 'gif', animated: gifMoves(bytes) }
  }
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'))
    return { format: 'webp', animated: webpMoves(bytes) }
  if (startsWith(bytes, 4, 'ftyp')) return inIsoContainer(bytes)
  if (startsWith(bytes, 0, '\u00ff\u000a') || startsWith(bytes, 4, 'JXL ')) return jxl(bytes)
  const svg = readSvg(bytes)
  return svg && { format: 'svg', animated: svgMoves(svg) }
}

/**
 * Whether the first bytes are those of a format that is not text. This alone is asked in the process that serves requests: everything
 * else about foreign bytes is work for the decoding process, which can be killed.
 */
export function hasBinarySignature(bytes: Buffer): boolean {
  const marks = ['\u0089PNG\r\n\u001a\n', '\u00ff\u00d8\u00ff', 'GIF87a', 'GIF89a', 'RIFF', '\u00ff\u000a']
  return (
    marks.some((mark) => startsWith(bytes, 0, mark)) || startsWith(bytes, 4, 'ftyp') || startsWith(bytes, 4, 'JXL ')
  )
}

/** Signatures are written as text with one byte for each character. */
function startsWith(bytes: Buffer, at: number, mark: string): boolean {
  return bytes.toString('latin1', at, at + mark.length) === mark
}

function pngOrApng(bytes: Buffer): RecognisedImage {
  const frames = apngFrameCount(bytes)
  return frames === undefined ? { format: 'png', animated: false } : { format: 'apng', animated: frames > 1 }
}

const webpAnimationFlag = 0b10

function webpMoves(bytes: Buffer): boolean {
  return startsWith(bytes, 12, 'VP8X') && bytes.length > 20 && (bytes.readUInt8(20) & webpAnimationFlag) !== 0
}

const brand_bytes = 4
const sequenceBrands: readonly string[] = ['avis', 'msf1', 'hevc', 'hevx']

/** The brands of the container distinguish AVIF, HEIC and HEIF; the first brand tells whether it is a sequence. */
function inIsoContainer(bytes: Buffer): RecognisedImage | undefined {
  if (bytes.length < 16) return undefined
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 1024)
  const brands = [bytes.toString('latin1', 8, 12)]
  for (let at = 16; at + brand_bytes <= end; at += brand_bytes)
    brands.push(bytes.toString('latin1', at, at + brand_bytes))
  const animated = sequenceBrands.includes(brands[0] ?? '')
  // A file may hold an AVIF sequence and name a still image first.
  if (brands.includes('avis')) return { format: 'avif', animated: true }
  if (brands.includes('avif')) return { format: 'avif', animated }
  const isHeif = brands.some((brand) => /^(?:he[iv]|mif1|msf1)/.test(brand))
  return isHeif ? { format: 'heif', animated } : undefined
}

function jxl(bytes: Buffer): RecognisedImage | undefined {
  const header = jxlHeader(bytes)
  return header && { format: 'jxl', animated: header.animated }
}
