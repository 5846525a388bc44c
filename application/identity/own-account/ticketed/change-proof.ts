import { createHash, timingSafeEqual } from 'node:crypto'
import type { CommandContext } from '../../../commands/command-context.ts'

/** A new proof that a code was entered, as a version 4 UUID, and the part to store. */
export function newProof(context: CommandContext): { readonly text: string; readonly hash: string } {
  const bytes = Buffer.from(context.randomBytes(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const text = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { text, hash: digestOf(text).toString('hex') }
}

/** Whether a proof is the one that was issued; false if none was. */
export function isProof(hash: string | null, given: string): boolean {
  return hash !== null && timingSafeEqual(Buffer.from(hash, 'hex'), digestOf(given))
}

function digestOf(proof: string): Buffer {
  return createHash('sha256').update(proof.toLowerCase()).digest()
}
