import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PersonalValues } from '../../application/ports/erasure-notes.ts'
import { encodings, formsOf, looked_bytes_min } from './value-forms.ts'

/** A form of a value, without the value. */
const notedForm = z.object({
  encoding: z.enum(encodings),
  bytes: z.int(),
  whole: z.boolean(),
  /** What the first bytes come to (`markOf`): where a window comes to the same, the hash is worth computing. */
  mark: z.int(),
  /** The salted hash of all bytes, in base64. */
  hash: z.string(),
})
export type NotedForm = z.output<typeof notedForm>

const notedValue = z.object({ kind: z.string(), forms: z.array(notedForm) })
export type NotedValue = z.output<typeof notedValue>

/** What is kept of the values of an account: how long they are, and salted hashes of them in every form. */
export const notedValues = z.object({
  /** Random for each account, so that two notes tell nothing of each other; in base64. */
  salt: z.string(),
  holders: z.array(z.string()),
  values: z.array(notedValue),
  /** Values that are too short to be looked for, by kind. */
  tooShort: z.record(z.string(), z.int()),
  /** The images of the account: the hash of each, hashed again with the salt. */
  images: z.array(z.string()),
  isCut: z.boolean(),
  running_count: z.int(),
  unread_count: z.int(),
})
export type NotedValues = z.output<typeof notedValues>

const salt_bytes = 32
/** The windows that marks are taken of: that of values that stand inside texts, and that of short ones. */
export const longWindow_bytes = 8
export const shortWindow_bytes = 4

/** Notes values: afterwards they can be recognised, and not told. */
export function noteValues({ holders, values, images, ...more }: PersonalValues): NotedValues {
  const salt = randomBytes(salt_bytes)
  const tooShort: Record<string, number> = {}
  const noted: NotedValue[] = []
  for (const { kind, text } of values) {
    const forms = formsOf(text)
    if (Buffer.byteLength(text) < looked_bytes_min) tooShort[kind] = (tooShort[kind] ?? 0) + 1
    else
      noted.push({
        kind,
        forms: forms.map(({ encoding, bytes, whole }) => ({
          encoding,
          bytes: bytes.length,
          whole,
          mark: markOf(salt, bytes),
          hash: saltedHash(salt, bytes),
        })),
      })
  }
  return {
    salt: salt.toString('base64'),
    holders: [...holders],
    values: noted,
    tooShort,
    images: images.map((hash) => saltedHash(salt, Buffer.from(hash, 'utf8'))),
    ...more,
  }
}

export function saltedHash(salt: Uint8Array, bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([salt, bytes]), 'base64')
}

/** The mark of a form's first window, the long one where it has that many bytes. */
function markOf(salt: Buffer, bytes: Buffer): number {
  const marks = windowMarks(salt)
  return bytes.length >= longWindow_bytes
    ? marks.long(bytes.readUInt32LE(0), bytes.readUInt32LE(shortWindow_bytes))
    : marks.short(bytes.readUInt32LE(0))
}

/**
 * How many bits a mark has: so many that few windows have that of a value by chance, and so few that a mark tells little of a value.
 */
export const longMark_bits = 24
export const shortMark_bits = 16

/** Marks of windows under a salt, quick to compute for every window. */
export function windowMarks(salt: Buffer) {
  const [first, second, third] = [0, 4, 8].map((at) => salt.readUInt32LE(at) | 1) as [number, number, number]
  const mixed = (state: number): number => Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  return {
    long: (low: number, high: number): number =>
      mixed(Math.imul(low ^ third, first) ^ Math.imul(high ^ first, second)) >>> (32 - longMark_bits),
    short: (window: number): number => mixed(Math.imul(window ^ second, third)) >>> (32 - shortMark_bits),
  }
}
