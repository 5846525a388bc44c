import { decrypt, encrypt, keyOf } from '../../application/secrets/keys.ts'

/** A value encrypted with an account's key, as it stands in stored JSON: `v1.` and base64 of nonce, tag and ciphertext. */
export interface Sealed {
  readonly $sealed: string
}

const version = 'v1.'

/**
 * Encrypts a JSON value. `context` (a stream, an event, a member) is authenticated with it, so that a sealed value can't be
 * moved elsewhere.
 */
export function seal(key: Uint8Array, context: readonly string[], value: unknown): Sealed {
  const sealed = encrypt(keyOf(key), JSON.stringify(context), Buffer.from(JSON.stringify(value)))
  return { $sealed: version + sealed.toString('base64') }
}

/** Decrypts what `seal` made. Throws if the key or the context differs from the one it was made with. */
export function unseal(key: Uint8Array, context: readonly string[], { $sealed }: Sealed): unknown {
  if (!$sealed.startsWith(version)) throw new Error('sealed in a form that is not known here')
  const bytes = Buffer.from($sealed.slice(version.length), 'base64')
  return JSON.parse(decrypt(keyOf(key), JSON.stringify(context), bytes).toString('utf8'))
}

/** Whether a stored value is sealed. */
export function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && '$sealed' in value && typeof value.$sealed === 'string'
}
