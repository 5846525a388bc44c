import { crc32 } from 'node:zlib'

/** One frame of an animated PNG: a part of the canvas, its time, and how it is disposed of. */
export interface ApngFrame {
  /** The part as a PNG file. */
  readonly png: Buffer
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly delay_ms: number
  /** What happens to the part before the next frame: it stays, is cleared, or is restored to what was there before. */
  readonly dispose: 'keep' | 'clear' | 'restore'
  /** Whether it replaces what is there, or is blended over it. */
  readonly blend: 'replace' | 'over'
}

export interface Apng {
  readonly width: number
  readonly height: number
  /** 0 means forever. */
  readonly loops: number
  readonly frames: readonly ApngFrame[]
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** Includes its length, type and checksum. */
  readonly whole: Buffer
}

const signature_bytes = 8
/** The chunks that all frames of a file share. They define colours. */
const sharedChunks: readonly string[] = ['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'iCCP']

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  let at = signature_bytes
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) return
    yield {
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
      whole: bytes.subarray(at, end),
    }
    at = end
  }
}

/** The number of frames that an animated PNG declares; undefined for a plain PNG. */
export function apngFrameCount(bytes: Buffer): number | undefined {
  for (const { type, data } of chunksOf(bytes)) {
    if (type === 'acTL' && data.length === 8) return data.readUInt32BE(0)
    if (type === 'IDAT') return undefined
  }
  return undefined
}

/**
 * Splits an animated PNG into frames, at most `frames_max`. Undefined if it isn't animated, if frames are missing or out of
 * order, or if one is outside the canvas.
 */
export function readApng(bytes: Buffer, frames_max: number): Apng | undefined {
  const shared: Buffer[] = []
  const frames: (FrameHead & { readonly data: Buffer[] })[] = []
  let head: Buffer | undefined
  let control: Buffer | undefined
  let sequence = 0
  for (const { type, data, whole } of chunksOf(bytes)) {
    if (type === 'IHDR') head = data
    else if (type === 'acTL') control = data
    else if (sharedChunks.includes(type)) shared.push(whole)
    // Both kinds of animation chunks share one sequence of numbers.
    if ((type === 'fcTL' || type === 'fdAT') && (data.length < 4 || data.readUInt32BE(0) !== sequence++))
      return undefined
    if (type === 'fcTL') {
      if (frames.length === frames_max) return undefined
      frames.push({ ...frameHead(data), data: [] })
    } else if (type === 'IDAT') frames.at(-1)?.data.push(data)
    else if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4))
  }
  if (head?.length !== 13 || control?.length !== 8 || frames.length === 0) return undefined
  if (frames.length !== control.readUInt32BE(0)) return undefined
  const canvas = { width: head.readUInt32BE(0), height: head.readUInt32BE(4) }
  if (!frames.every((frame) => frame.data.length > 0 && liesWithin(frame, canvas))) return undefined
  const header = head
  return {
    ...canvas,
    loops: control.readUInt32BE(4),
    frames: frames.map(({ data, ...frame }) => ({ ...frame, png: pngOf(header, shared, frame, data) })),
  }
}

type FrameHead = Omit<ApngFrame, 'png'>

const disposals = ['keep', 'clear', 'restore'] as const

function frameHead(data: Buffer): FrameHead {
  if (data.length !== 26)
    return { width: 0, height: 0, left: 0, top: 0, delay_ms: 0, dispose: 'keep', blend: 'replace' }
  const denominator = data.readUInt16BE(22)
  return {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    left: data.readUInt32BE(12),
    top: data.readUInt32BE(16),
    delay_ms: Math.round((data.readUInt16BE(20) * 1000) / (denominator === 0 ? 100 : denominator)),
    dispose: disposals[data.readUInt8(24)] ?? 'keep',
    blend: data.readUInt8(25) === 1 ? 'over' : 'replace',
  }
}

function liesWithin(frame: FrameHead, canvas: { readonly width: number; readonly height: number }): boolean {
  const { width, height, left, top } = frame
  return width > 0 && height > 0 && left + width <= canvas.width && top + height <= canvas.height
}

function pngOf(head: Buffer, shared: readonly Buffer[], frame: FrameHead, data: readonly Buffer[]): Buffer {
  const own = Buffer.from(head)
  own.writeUInt32BE(frame.width, 0)
  own.writeUInt32BE(frame.height, 4)
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', own),
    ...shared,
    chunk('IDAT', Buffer.concat(data)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
