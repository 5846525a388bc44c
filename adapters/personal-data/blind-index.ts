import { createHmac, hkdfSync } from 'node:crypto'
import { keyBytes } from './key-wrapping.js'

/** The uses of PERSONAL_DATA_KEY here. Kept forever: another label would give everything another index. */
const labels = {
  emailAddress: 'guildhall e-mail address blind index v1',
  singleSignOnIdentity: 'guildhall single sign-on identity blind index v1',
} as const

/**
 * Gives the index of a text, such as a normalised e-mail address: always the same 64 hexadecimal digits, from which nobody
 * without PERSONAL_DATA_KEY finds the text, nor tells whether it is a given one. It names email_address and
 * single_sign_on_identity streams.
 */
export function blindIndex(personalDataKey: Uint8Array, use: keyof typeof labels = 'emailAddress') {
  const key = new Uint8Array(hkdfSync('sha256', personalDataKey, new Uint8Array(), labels[use], keyBytes))
  return (text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('hex')
}
