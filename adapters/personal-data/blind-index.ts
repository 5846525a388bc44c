import { createHmac, hkdfSync } from 'node:crypto'
import { keyBytes } from './key-wrapping.js'

/** Names this use of PERSONAL_DATA_KEY. Kept forever: another label would give every address another index. */
const label = 'guildhall e-mail address blind index v1'

/**
 * Gives the index of a normalised e-mail address: always the same 64 hexadecimal digits, from which nobody without
 * PERSONAL_DATA_KEY finds the address, nor tells whether it is a given one. It names email_address streams.
 */
export function blindIndex(personalDataKey: Uint8Array): (normalisedAddress: string) => string {
  const key = new Uint8Array(hkdfSync('sha256', personalDataKey, new Uint8Array(), label, keyBytes))
  return (normalisedAddress) => createHmac('sha256', key).update(normalisedAddress, 'utf8').digest('hex')
}
