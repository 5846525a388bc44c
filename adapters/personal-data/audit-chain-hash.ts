import { createHmac, hkdfSync } from 'node:crypto'
import { keyBytes } from './key-wrapping.js'

/** Names this use of PERSONAL_DATA_KEY. Kept forever: under another label no chain would hold. */
const label = 'guildhall admin audit chain v1'

/**
 * Gives the keyed hash that the admin audit log is chained with, as hexadecimal digits: whoever can write to the database
 * alone can't make one that fits.
 */
export function auditChainHash(personalDataKey: Uint8Array): (text: string) => string {
  const key = new Uint8Array(hkdfSync('sha256', personalDataKey, new Uint8Array(), label, keyBytes))
  return (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex')
}
