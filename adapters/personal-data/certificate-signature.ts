import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { derivedKey } from '../../application/secrets/keys.ts'

/** Names this use of PERSONAL_DATA_KEY. Kept forever: with another label no certificate that was handed out would verify. */
const label = 'guildhall erasure certificate v1'

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs texts with a key of the instance, so that whoever has the public key can check them. */
export interface CertificateSignature {
  /** In base64, the SPKI form: what `openssl pkey -pubin -inform DER` reads. */
  readonly publicKey: string
  /** The Ed25519 signature of a text in UTF-8, in base64. */
  sign(text: string): string
}

/** The signature of the instance that has this PERSONAL_DATA_KEY. */
export function certificateSignature(personalDataKey: Uint8Array): CertificateSignature {
  const seed = derivedKey(personalDataKey, label).export()
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  return {
    publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('base64'),
  }
}

/** Whether a signature is that of a text under a public key. False for a key or a signature of another form. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = publicKeyIn(publicKey)
  return key !== undefined && verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'))
}

function publicKeyIn(publicKey: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch (error) {
    // OpenSSL's errors have no class of their own.
    if (error instanceof Error) return undefined
    throw error
  }
}
