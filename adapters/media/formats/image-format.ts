import { apngFrameCount } from './apng.js'
import { gifMoves } from './gif.js'
import { jxlHeader } from './jxl-header.js'
import { isSvg, svgMoves } from './svg.js'

/** The formats that can be read (contract part 1, Create guild). */
export type ImageFormat = 'png' | 'apng' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'heif' | 'jxl' | 'svg'

/** What an image is by its content, whatever a name or a header says of it. */
export interface RecognisedImage {
  readonly format: ImageFormat
  readonly animated: boolean
}

/** Recognises a format without decoding; undefined for none of them, and for one whose marks are broken off. */
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
  return isSvg(bytes) ? { format: 'svg', animated: svgMoves(bytes) } : undefined
}

/** Marks are written as text of one byte a character. */
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

/** AVIF, HEIC and HEIF are told apart by the brands of their container; the first says whether it is a sequence. */
function inIsoContainer(bytes: Buffer): RecognisedImage | undefined {
  if (bytes.length < 16) return undefined
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 1024)
  const brands = [bytes.toString('latin1', 8, 12)]
  for (let at = 16; at + brand_bytes <= end; at += brand_bytes)
    brands.push(bytes.toString('latin1', at, at + brand_bytes))
  const animated = sequenceBrands.includes(brands[0] ?? '')
  // A sequence of AVIF may stand behind a still image that the file names first.
  if (brands.includes('avis')) return { format: 'avif', animated: true }
  if (brands.includes('avif')) return { format: 'avif', animated }
  const isHeif = brands.some((brand) => /^(?:he[iv]|mif1|msf1)/.test(brand))
  return isHeif ? { format: 'heif', animated } : undefined
}

function jxl(bytes: Buffer): RecognisedImage | undefined {
  const header = jxlHeader(bytes)
  return header && { format: 'jxl', animated: header.animated }
}
