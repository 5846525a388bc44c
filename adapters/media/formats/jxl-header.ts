/** The header of a JPEG XL image. */
export interface JxlHeader {
  readonly width: number
  readonly height: number
  readonly animated: boolean
}

/** Reads the header of a JPEG XL image, bare or in its container; undefined if it is cut off. */
export function jxlHeader(bytes: Buffer): JxlHeader | undefined {
  const codestream = bytes[0] === 0xff ? bytes : codestreamIn(bytes)
  if (codestream === undefined) return undefined
  const bits = bitsOf(codestream, 16)
  const { width, height } = readSize(bits)
  const animated = readAnimated(bits)
  return bits.isOver() ? undefined : { width, height, animated }
}

const boxesLookedAt_max = 64

/** The codestream of a container is in one box, or in parts whose first one has the header. */
function codestreamIn(bytes: Buffer): Buffer | undefined {
  let at = 0
  for (let boxes = 0; boxes < boxesLookedAt_max && at + 8 <= bytes.length; boxes += 1) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const { head, size } = boxSize(bytes, at)
    if (type === 'jxlc') return bytes.subarray(at + head, at + size)
    if (type === 'jxlp') return bytes.subarray(at + head + 4, at + size)
    if (size < head) return undefined
    at += size
  }
  return undefined
}

function boxSize(bytes: Buffer, at: number): { readonly head: number; readonly size: number } {
  const size = bytes.readUInt32BE(at)
  if (size === 0) return { head: 8, size: bytes.length - at }
  if (size !== 1 || at + 16 > bytes.length) return { head: 8, size }
  return { head: 16, size: Number(bytes.readBigUInt64BE(at + 8)) }
}

interface Bits {
  /** The next bits as a number, the lowest first; zeros beyond the end. */
  take(count: number): number
  /** One of four ways to encode a number: a value, or some bits above an offset. */
  choose(...ways: readonly (number | readonly [count: number, above: number])[]): number
  isOver(): boolean
}

function bitsOf(bytes: Buffer, from: number): Bits {
  let at = from
  const take = (count: number): number => {
    let value = 0
    for (let index = 0; index < count; index += 1, at += 1) {
      value += (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** index
    }
    return value
  }
  return {
    take,
    choose(...ways) {
      const way = ways[take(2)] ?? 0
      return typeof way === 'number' ? way : way[1] + take(way[0])
    },
    isOver: () => at > bytes.length * 8,
  }
}

const aspectRatios = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
] as const

function readSize(bits: Bits): { readonly width: number; readonly height: number } {
  const isSmall = bits.take(1) === 1
  const side = (): number => (isSmall ? (bits.take(5) + 1) * 8 : bits.choose([9, 1], [13, 1], [18, 1], [30, 1]))
  const height = side()
  const ratio = aspectRatios[bits.take(3) - 1]
  return { height, width: ratio ? Math.floor((height * ratio[0]) / ratio[1]) : side() }
}

/** The fields before the animation flag have to be skipped by reading them. */
function readAnimated(bits: Bits): boolean {
  const isAllDefault = bits.take(1) === 1
  if (isAllDefault || bits.take(1) === 0) return false
  bits.take(3)
  const hasIntrinsicSize = bits.take(1) === 1
  if (hasIntrinsicSize) readSize(bits)
  const hasPreview = bits.take(1) === 1
  if (hasPreview) readPreview(bits)
  return bits.take(1) === 1
}

function readPreview(bits: Bits): void {
  const inEights = bits.take(1) === 1
  const side = (): number =>
    inEights ? bits.choose(16, 32, [5, 1], [9, 33]) : bits.choose([6, 1], [8, 65], [10, 321], [12, 1345])
  side()
  if (bits.take(3) === 0) side()
}
