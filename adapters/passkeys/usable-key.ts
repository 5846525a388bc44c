import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'

const p256 = 1
const ed25519 = 6
/** 2048 and 4096 bits: shorter keys can be broken, longer ones take long to verify with. */
const rsaModulus_bytes_min = 256
const rsaModulus_bytes_max = 512
const rsaExponent_bytes_max = 4

/** Whether a COSE key can verify assertions: it has one of the requested algorithms, and a real key for it. */
export function isUsableKey(key: Uint8Array<ArrayBuffer>): boolean {
  try {
    const jwk = jwkOf(decodeCredentialPublicKey(key))
    if (!jwk) return false
    createPublicKey({ key: jwk, format: 'jwk' })
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

type CoseKey = ReturnType<typeof decodeCredentialPublicKey>

function jwkOf(key: CoseKey): JsonWebKey | undefined {
  const { COSEKEYS, COSEALG } = cose
  switch (key.get(COSEKEYS.alg)) {
    case COSEALG.ES256:
      return cose.isCOSEPublicKeyEC2(key) && key.get(COSEKEYS.crv) === p256
        ? { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) }
        : undefined
    case COSEALG.EdDSA:
      return cose.isCOSEPublicKeyOKP(key) && key.get(COSEKEYS.crv) === ed25519
        ? { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) }
        : undefined
    case COSEALG.RS256:
      return cose.isCOSEPublicKeyRSA(key) ? rsaKey(key.get(COSEKEYS.n), key.get(COSEKEYS.e)) : undefined
    default:
      return undefined
  }
}

function rsaKey(n: unknown, e: unknown): JsonWebKey | undefined {
  if (!(n instanceof Uint8Array && e instanceof Uint8Array)) return undefined
  const isSafe = n.length >= rsaModulus_bytes_min && n.length <= rsaModulus_bytes_max
  return isSafe && e.length <= rsaExponent_bytes_max ? { kty: 'RSA', n: text(n), e: text(e) } : undefined
}

/** Undecodable bytes give no text, and so no key. */
function text(bytes: unknown): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64url') : ''
}
