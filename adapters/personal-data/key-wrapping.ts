import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const keyBytes = 32

const cipher = 'aes-256-gcm'
const version = 1
const nonceBytes = 12
const tagBytes = 16

/** Encrypts an account's key with the instance's key: version, nonce, tag and ciphertext. It opens for that account alone. */
export function wrapKey(wrappingKey: Uint8Array, account: string, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, wrappingKey, nonce).setAAD(Buffer.from(account, 'utf8'))
  const ciphertext = Buffer.concat([encryption.update(key), encryption.final()])
  return Buffer.concat([Buffer.of(version), nonce, encryption.getAuthTag(), ciphertext])
}

/** It was wrapped with another key, or for another account. */
export class KeyDoesNotOpen extends Error {
  override readonly name = 'KeyDoesNotOpen'
}

/** Decrypts the key from `wrapKey`. Throws KeyDoesNotOpen if PERSONAL_DATA_KEY or the account differs from the one it was wrapped with. */
export function unwrapKey(wrappingKey: Uint8Array, account: string, wrapped: Uint8Array): Uint8Array {
  if (wrapped[0] !== version)
    throw new Error(`The personal data key of account ${account} is wrapped in an unknown form`)
  const [nonceEnd, tagEnd] = [1 + nonceBytes, 1 + nonceBytes + tagBytes]
  const decryption = createDecipheriv(cipher, wrappingKey, wrapped.subarray(1, nonceEnd), { authTagLength: tagBytes })
    .setAAD(Buffer.from(account, 'utf8'))
    .setAuthTag(wrapped.subarray(nonceEnd, tagEnd))
  try {
    return Buffer.concat([decryption.update(wrapped.subarray(tagEnd)), decryption.final()])
  } catch (error) {
    throw new KeyDoesNotOpen(
      `The personal data key of account ${account} does not open: is PERSONAL_DATA_KEY another one?`,
      {
        cause: error,
      },
    )
  }
}
