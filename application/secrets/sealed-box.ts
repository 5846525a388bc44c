import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts, with a key of the instance, data that is kept outside the events. */
export interface SealedBox {
  /**
   * Encrypts a text. `context`, such as the row that holds it, is authenticated with the text, so the result cannot be moved to
   * another place.
   */
  seal(context: readonly string[], text: string): Buffer
  /** Decrypts the text. Throws if key or context differ from those it was sealed with. */
  open(context: readonly string[], sealed: Uint8Array): string
  /** A keyed hash of 32 bytes. The same text gives the same hash, and without the key nobody can tell the text. */
  hash(text: string): Buffer
}

const cipher = 'aes-256-gcm'
const version = 1
const key_bytes = 32
const nonce_bytes = 12
const tag_bytes = 16

/**
 * A box whose keys are derived from PERSONAL_DATA_KEY. `purpose` says what the box is for and never changes: a box for one
 * purpose cannot open what a box for another has sealed.
 */
export function sealedBox(personalDataKey: Uint8Array, purpose: string): SealedBox {
  const derive = (use: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', personalDataKey, new Uint8Array(), `guildhall ${purpose} ${use} v1`, key_bytes))
  const sealing = derive('sealing')
  const hashing = derive('hashing')
  return {
    seal(context, text) {
      const nonce = randomBytes(nonce_bytes)
      const encryption = createCipheriv(cipher, sealing, nonce).setAAD(additionalData(context))
      const ciphertext = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
      return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), ciphertext])
    },
    open(context, sealed) {
      if (sealed[0] !== version) throw new Error('the sealed text has an unknown format')
      const [nonceEnd, tagEnd] = [1 + nonce_bytes, 1 + nonce_bytes + tag_bytes]
      const decryption = createDecipheriv(cipher, sealing, sealed.subarray(1, nonceEnd), { authTagLength: tag_bytes })
        .setAAD(additionalData(context))
        .setAuthTag(sealed.subarray(nonceEnd, tagEnd))
      return decryption.update(sealed.subarray(tagEnd), undefined, 'utf8') + decryption.final('utf8')
    },
    hash: (text) => createHmac('sha256', hashing).update(text, 'utf8').digest(),
  }
}

const additionalData = (context: readonly string[]): Buffer => Buffer.from(JSON.stringify(context), 'utf8')
