import {
  longMark_bits,
  longWindow_bytes,
  shortMark_bits,
  saltedHash,
  shortWindow_bytes,
  windowMarks,
  type NotedForm,
  type NotedValues,
} from './noted-values.ts'
import type { Encoding } from './value-forms.ts'

/** A noted value that stands in some bytes. */
export interface FoundValue {
  /** The number of the value in its note. */
  readonly index: number
  readonly kind: string
  readonly encoding: Encoding
}

export interface ValueFinder {
  /**
   * The values that stand in bytes, each once, in whichever form is met first. If the bytes are cut out of something longer, their
   * ends are not the ends of a value.
   */
  in(bytes: Uint8Array, isCut?: boolean): readonly FoundValue[]
  /** Whether bytes are those of an image of the account, by its hash as the byte store names it. */
  isImage(hash: string): boolean
}

type Candidate = NotedForm & { readonly index: number; readonly kind: string }

const byte_bits = 8
const topByte_bits = 24
const byteShift = 3
const bitMask = byte_bits - 1
const quote = '"'.charCodeAt(0)

/**
 * Finds noted values in bytes without knowing them. Each window of eight bytes has a mark, and so has each of four; where a form
 * begins with the same mark, the salted hash of as many bytes as the form has decides.
 */
export function findValues({ salt: salted, values, images }: NotedValues): ValueFinder {
  const salt = Buffer.from(salted, 'base64')
  const { long, short } = windowMarks(salt)
  const byLong = markedForms(values, longMark_bits, (bytes) => bytes >= longWindow_bytes)
  const byShort = markedForms(values, shortMark_bits, (bytes) => bytes < longWindow_bytes)
  const { any: anyLong } = byLong
  const { any: anyShort } = byShort
  const hasShort = byShort.ofMark.size > 0
  const knownImages = new Set(images)

  function found(bytes: Buffer, isCut: boolean): readonly FoundValue[] {
    const met = new Map<number, FoundValue>()
    const compare = (candidates: readonly Candidate[] = [], at: number): void => {
      for (const { index, kind, encoding, ...form } of candidates)
        if (
          !met.has(index) &&
          (!form.whole || isWhole(bytes, at, at + form.bytes, isCut)) &&
          stands(salt, form, bytes, at)
        )
          met.set(index, { index, kind, encoding })
    }
    let [low, high] = [0, 0]
    for (let end = 1; end <= bytes.length; end += 1) {
      const next = bytes[end - 1] ?? 0
      low = (low >>> byte_bits) | ((high & 0xff) << topByte_bits)
      high = (high >>> byte_bits) | (next << topByte_bits)
      if (hasShort && end >= shortWindow_bytes) {
        const mark = short(high)
        if (isSet(anyShort, mark)) compare(byShort.ofMark.get(mark), end - shortWindow_bytes)
      }
      if (end >= longWindow_bytes) {
        const mark = long(low, high)
        if (isSet(anyLong, mark)) compare(byLong.ofMark.get(mark), end - longWindow_bytes)
      }
    }
    return [...met.values()]
  }

  return {
    in: (bytes, isCut = false) => found(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isCut),
    isImage: (hash) => knownImages.has(saltedHash(salt, Buffer.from(hash, 'utf8'))),
  }
}

interface Marked {
  /** A bit for each mark: whether a form has it. */
  readonly any: Uint8Array
  readonly ofMark: ReadonlyMap<number, readonly Candidate[]>
}

/** The forms by their marks. */
function markedForms(values: NotedValues['values'], bits: number, isMeant: (bytes: number) => boolean): Marked {
  const any = new Uint8Array(2 ** bits / byte_bits)
  const ofMark = new Map<number, Candidate[]>()
  for (const [index, { kind, forms }] of values.entries())
    for (const form of forms) {
      if (!isMeant(form.bytes)) continue
      any[form.mark >>> byteShift] = (any[form.mark >>> byteShift] ?? 0) | (1 << (form.mark & bitMask))
      const candidates = ofMark.get(form.mark) ?? []
      ofMark.set(form.mark, candidates)
      candidates.push({ ...form, index, kind })
    }
  return { any, ofMark }
}

const isSet = (bits: Uint8Array, mark: number): boolean =>
  (((bits[mark >>> byteShift] ?? 0) >>> (mark & bitMask)) & 1) === 1

function stands(
  salt: Buffer,
  { bytes: length, hash }: Pick<NotedForm, 'bytes' | 'hash'>,
  bytes: Buffer,
  at: number,
): boolean {
  return at + length <= bytes.length && saltedHash(salt, bytes.subarray(at, at + length)) === hash
}

/** Whether nothing stands beside a value but the quotes of a JSON string. */
function isWhole(bytes: Buffer, from: number, to: number, isCut: boolean): boolean {
  const begins = from === 0 ? !isCut : bytes[from - 1] === quote
  const ends = to === bytes.length ? !isCut : bytes[to] === quote
  return begins && ends
}
