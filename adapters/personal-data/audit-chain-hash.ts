import { derivedKey, keyedHash } from '../../application/secrets/keys.ts'

/** Names this use of PERSONAL_DATA_KEY. Kept forever: with another label no existing chain would verify. */
const label = 'guildhall admin audit chain v1'

/**
 * Makes the keyed hash that chains the admin audit log, as hexadecimal digits: write access to the database alone is not enough
 * to forge one.
 */
export function auditChainHash(personalDataKey: Uint8Array): (text: string) => string {
  const key = derivedKey(personalDataKey, label)
  return (text) => keyedHash(key, text).toString('hex')
}
