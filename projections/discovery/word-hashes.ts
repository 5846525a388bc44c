import { createHash } from 'node:crypto'

/** The bytes of one hash: they fit a double without loss. */
export const hash_bytes = 6

/** The words, each as the first 48 bits of its SHA-256, in the form that Postgres reads as bytea. */
export function hashedWords(words: readonly string[]): string {
  return `\\x${words.map((word) => digestOf(word).toString('hex', 0, hash_bytes)).join('')}`
}

/** The hash of one word, as the numbers that `hashesIn` gives. */
export function hashOf(word: string): number {
  return digestOf(word).readUIntBE(0, hash_bytes)
}

/** The hashes in a column that `hashedWords` wrote. */
export function hashesIn(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length / hash_bytes }, (_, index) =>
    bytes.readUIntBE(index * hash_bytes, hash_bytes),
  )
}

function digestOf(word: string): Buffer {
  return createHash('sha256').update(word).digest()
}
