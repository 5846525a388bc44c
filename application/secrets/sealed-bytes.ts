import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt } from './keys.ts'

const version = 1

/**
 * Encrypts bytes: a version before what `encrypt` makes. `context` says where they belong and is authenticated with them, so the
 * result cannot be moved elsewhere.
 */
export function sealBytes(key: KeyObject, context: readonly string[], bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(version), encrypt(key, JSON.stringify(context), bytes)])
}

/** Decrypts what `sealBytes` made. Throws if key or context differ from those it was made with. */
export function openBytes(key: KeyObject, context: readonly string[], sealed: Uint8Array): Buffer {
  if (sealed[0] !== version) throw new Error('the sealed text has an unknown format')
  return decrypt(key, JSON.stringify(context), sealed.subarray(1))
}
