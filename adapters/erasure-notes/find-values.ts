import {
  longWindow_bytes,
  marks_count,
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
const quote = '"'.charCodeAt(0)

/**
 * Finds noted values in bytes without knowing them. Each window of eight bytes has a mark, and so has each of four; where a form
 * has the same mark, the salted hash of as many bytes as the form has decides.
 */
export function findValues({ salt: salted, values, images }: NotedValues): ValueFinder {
  const salt = Buffer.from(salted, 'base64')
  const { long, short } = windowMarks(salt)
  const [byLong, byShort] = [candidatesByMark(values, true), candidatesByMark(values, false)]
  const knownImages = new Set(images)

  function found(bytes: Buffer, isCut: boolean): readonly FoundValue[] {
    const met = new Map<number, FoundValue>()
    const compare = (candidates: readonly Candidate[], at: number): void => {
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
      const ofShort = end < shortWindow_bytes ? undefined : byShort[short(high)]
      if (ofShort) compare(ofShort, end - shortWindow_bytes)
      const ofLong = end < longWindow_bytes ? undefined : byLong[long(low, high)]
      if (ofLong) compare(ofLong, end - longWindow_bytes)
    }
    return [...met.values()]
  }

  return {
    in: (bytes, isCut = false) => found(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isCut),
    isImage: (hash) => knownImages.has(saltedHash(salt, Buffer.from(hash, 'utf8'))),
  }
}

function candidatesByMark(
  values: NotedValues['values'],
  isLong: boolean,
): readonly (readonly Candidate[] | undefined)[] {
  const byMark: (Candidate[] | undefined)[] = Array.from({ length: marks_count }, () => undefined)
  for (const [index, { kind, forms }] of values.entries())
    for (const form of forms)
      if (form.bytes >= longWindow_bytes === isLong) (byMark[form.mark] ??= []).push({ ...form, index, kind })
  return byMark
}

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
