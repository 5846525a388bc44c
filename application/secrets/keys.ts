import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

// Keys are objects here, never bytes: Node 24 takes 30 us for each use of bytes to find out that they are no object.

export const key_bytes = 32

const cipher = 'aes-256-gcm'
const nonce_bytes = 12
const tag_bytes = 16

/**
 * A key of 32 bytes for one use, derived from a secret by HKDF with SHA-256. Every process derives the same one. `use` names the use
 * and is kept forever: with another one, nothing that was made with the key would open or verify.
 */
export function derivedKey(secret: Uint8Array, use: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), use, key_bytes)))
}

/** The key that these bytes are. */
export function keyOf(bytes: Uint8Array): KeyObject {
  return createSecretKey(bytes)
}

/** HMAC with SHA-256, of the parts one after another: 32 bytes. */
export function keyedHash(key: KeyObject, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHmac('sha256', key)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/**
 * Encrypts with AES-256-GCM under a new nonce: nonce, tag and ciphertext. `context` says where the result belongs and is authenticated
 * with it, so that it can't be moved elsewhere.
 */
export function encrypt(key: KeyObject, context: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonce_bytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context))
  const ciphertext = [encryption.update(plain), encryption.final()]
  return Buffer.concat([nonce, encryption.getAuthTag(), ...ciphertext])
}

/** Decrypts what `encrypt` made. Throws if the key or the context differs from the one it was made with. */
export function decrypt(key: KeyObject, context: string, encrypted: Uint8Array): Buffer {
  const tagEnd = nonce_bytes + tag_bytes
  const nonce = encrypted.subarray(0, nonce_bytes)
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tag_bytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(encrypted.subarray(nonce_bytes, tagEnd))
  return Buffer.concat([decryption.update(encrypted.subarray(tagEnd)), decryption.final()])
}

/** The key stream of AES-256-CTR: it looks random without the key, and is always the same with it. */
export function keyStream(key: KeyObject): (count: number) => Uint8Array {
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (count) => stream.update(Buffer.alloc(count))
}
