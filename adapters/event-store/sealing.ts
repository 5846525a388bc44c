import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A value encrypted with an account's key, as it stands in stored JSON: `v1.` and base64 of nonce, tag and ciphertext. */
export interface Sealed {
  readonly $sealed: string
}

const cipher = 'aes-256-gcm'
const version = 'v1.'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a JSON value. `context` (a stream, an event, a member) is authenticated with it, so that a sealed value can't be
 * moved elsewhere.
 */
export function seal(key: Uint8Array, context: readonly string[], value: unknown): Sealed {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(additionalData(context))
  const ciphertext = Buffer.concat([encryption.update(JSON.stringify(value), 'utf8'), encryption.final()])
  return { $sealed: version + Buffer.concat([nonce, encryption.getAuthTag(), ciphertext]).toString('base64') }
}

/** Decrypts what `seal` made. Throws if the key or the context differs from the one it was made with. */
export function unseal(key: Uint8Array, context: readonly string[], { $sealed }: Sealed): unknown {
  if (!$sealed.startsWith(version)) throw new Error('sealed in a form that is not known here')
  const bytes = Buffer.from($sealed.slice(version.length), 'base64')
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(additionalData(context))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = decryption.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decryption.final('utf8')
  return JSON.parse(text)
}

/** Whether a stored value is sealed. */
export function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && '$sealed' in value && typeof value.$sealed === 'string'
}

const additionalData = (context: readonly string[]): Buffer => Buffer.from(JSON.stringify(context), 'utf8')
