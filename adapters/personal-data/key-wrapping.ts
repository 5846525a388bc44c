import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt } from '../../application/secrets/keys.ts'

const version = 1

/** Encrypts an account's key with the instance's key: version, nonce, tag and ciphertext. It opens for that account alone. */
export function wrapKey(wrappingKey: KeyObject, account: string, key: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(version), encrypt(wrappingKey, account, key)])
}

/** It was wrapped with another key, or for another account. */
export class KeyDoesNotOpen extends Error {
  override readonly name = 'KeyDoesNotOpen'
}

/** Decrypts the key from `wrapKey`. Throws KeyDoesNotOpen if PERSONAL_DATA_KEY or the account differs from the one it was wrapped with. */
export function unwrapKey(wrappingKey: KeyObject, account: string, wrapped: Uint8Array): Uint8Array {
  if (wrapped[0] !== version)
    throw new Error(`The personal data key of account ${account} is wrapped in an unknown form`)
  try {
    return decrypt(wrappingKey, account, wrapped.subarray(1))
  } catch (error) {
    throw new KeyDoesNotOpen(
      `The personal data key of account ${account} does not open: is PERSONAL_DATA_KEY another one?`,
      {
        cause: error,
      },
    )
  }
}
