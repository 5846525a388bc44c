import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** What is kept outside the events, encrypted with a key of the instance. */
export interface SealedBox {
  /**
   * Encrypts a text. What `context` names, such as the row that it stands in, is authenticated with it, so that it can't be
   * moved to another place.
   */
  seal(context: readonly string[], text: string): Buffer
  /** The text. Throws where key or context are not the ones that it was sealed with. */
  open(context: readonly string[], sealed: Uint8Array): string
  /** A keyed hash, 32 bytes: the same for the same text, and nobody without the key can tell of which. */
  hash(text: string): Buffer
}

const cipher = 'aes-256-gcm'
const version = 1
const key_bytes = 32
const nonce_bytes = 12
const tag_bytes = 16

/**
 * A box whose keys follow from PERSONAL_DATA_KEY. `purpose` names what it is for and is kept forever: a box for one purpose
 * does not open what one for another has sealed.
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
      if (sealed[0] !== version) throw new Error('sealed in a form that is not known here')
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
