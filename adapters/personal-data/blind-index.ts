import { derivedKey, keyedHash } from '../../application/secrets/keys.ts'

/** The uses of PERSONAL_DATA_KEY here. Kept forever: another label would change every index. */
const labels = {
  emailAddress: 'guildhall e-mail address blind index v1',
  store: 'guildhall store purchase blind index v1',
  singleSignOnIdentity: 'guildhall single sign-on identity blind index v1',
} as const

/**
 * The index of a text, such as a normalised e-mail address: always the same 64 hexadecimal digits. Without PERSONAL_DATA_KEY
 * nobody can find the text, or check a guess. It names email_address, single_sign_on_identity and store_purchase streams.
 */
export function blindIndex(personalDataKey: Uint8Array, use: keyof typeof labels = 'emailAddress') {
  const key = derivedKey(personalDataKey, labels[use])
  return (text: string): string => keyedHash(key, text).toString('hex')
}
