import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const version = 1
const nonce_bytes = 12
const tag_bytes = 16

/**
 * Encrypts bytes with a key of 32 bytes: version, nonce, tag and ciphertext. `context` says where they belong and is
 * authenticated with them, so the result cannot be moved elsewhere.
 */
export function sealBytes(key: Uint8Array, context: readonly string[], bytes: Uint8Array): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(additionalData(context))
  const ciphertext = Buffer.concat([encryption.update(bytes), encryption.final()])
  return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), ciphertext])
}

/** Decrypts what `sealBytes` made. Throws if key or context differ from those it was made with. */
export function openBytes(key: Uint8Array, context: readonly string[], sealed: Uint8Array): Buffer {
  if (sealed[0] !== version) throw new Error('the sealed text has an unknown format')
  const [nonceEnd, tagEnd] = [1 + nonce_bytes, 1 + nonce_bytes + tag_bytes]
  const decryption = createDecipheriv(cipher, key, sealed.subarray(1, nonceEnd), { authTagLength: tag_bytes })
    .setAAD(additionalData(context))
    .setAuthTag(sealed.subarray(nonceEnd, tagEnd))
  return Buffer.concat([decryption.update(sealed.subarray(tagEnd)), decryption.final()])
}

const additionalData = (context: readonly string[]): Buffer => Buffer.from(JSON.stringify(context), 'utf8')
