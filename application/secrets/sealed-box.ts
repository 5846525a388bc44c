import { derivedKey, keyedHash } from './keys.ts'
import { openBytes, sealBytes } from './sealed-bytes.ts'

/** Encrypts, with a key of the instance, data that is kept outside the events. */
export interface SealedBox {
  /**
   * Encrypts a text. `context`, such as the row that holds it, is authenticated with the text, so the result cannot be moved
   * elsewhere.
   */
  seal(context: readonly string[], text: string): Buffer
  /** Decrypts the text. Throws if key or context differ from those it was sealed with. */
  open(context: readonly string[], sealed: Uint8Array): string
  /** A keyed hash of 32 bytes. The same text gives the same hash, and without the key nobody can tell the text. */
  hash(text: string): Buffer
}

/**
 * A box whose keys are derived from PERSONAL_DATA_KEY. `purpose` says what the box is for and never changes: a box for one
 * purpose cannot open what a box for another has sealed.
 */
export function sealedBox(personalDataKey: Uint8Array, purpose: string): SealedBox {
  const sealing = derivedKey(personalDataKey, `guildhall ${purpose} sealing v1`)
  const hashing = derivedKey(personalDataKey, `guildhall ${purpose} hashing v1`)
  return {
    seal: (context, text) => sealBytes(sealing, context, Buffer.from(text, 'utf8')),
    open: (context, sealed) => openBytes(sealing, context, sealed).toString('utf8'),
    hash: (text) => keyedHash(hashing, text),
  }
}
