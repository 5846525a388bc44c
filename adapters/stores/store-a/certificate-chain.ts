import { X509Certificate, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { StoreFailed } from '../store-failed.ts'

const chainLength = 3
const leafMarker = '1.2.840.113635.100.6.11.1'
const intermediateMarker = '1.2.840.113635.100.6.2.1'
const skew_ms = 60_000
/** The store signs with a few leaves at a time. Of the certificates one by one, and of whole chains. */
const verified_max = 64
const certificate_chars_max = 8192

type Role = 'leaf' | 'intermediate'

/** A chain that was verified, apart from the instant that it is asked about. */
interface Chain {
  readonly leafKey: KeyObject
  readonly validFrom_ms: number
  readonly validTo_ms: number
}

/**
 * Gives back a function that verifies the certificates of signed data: leaf, intermediate, root, in base64. The root
 * must have one of the fingerprints. All must be valid at an instant. The function returns the public key of the leaf,
 * and throws StoreFailed, `rejected`. Certificates that were verified once are remembered, whatever instant is asked
 * about, and so are chains by their texts: neither a certificate nor a key is read again while the store signs with the
 * same ones.
 */
export function certificateChains(
  rootFingerprints: readonly string[],
): (texts: readonly unknown[], at_ms: number) => Promise<KeyObject> {
  const verified = new LRUCache<string, X509Certificate>({ max: verified_max })
  const chains = new LRUCache<string, Chain>({ max: verified_max })

  /** Checks a certificate against its issuer, which is verified already. */
  async function verify(role: Role, certificate: X509Certificate, issuer: X509Certificate): Promise<X509Certificate> {
    const key = [role, certificate.fingerprint256, issuer.fingerprint256].join(' ')
    const known = verified.get(key)
    if (known) return known
    const isIssued = certificate.issuer === issuer.subject && certificate.verify(issuer.publicKey)
    const { ids, isAuthority } = await extensionsOf(certificate)
    const isOfRole = role === 'intermediate' ? certificate.ca : !isAuthority
    if (!isIssued || !isOfRole) throw new StoreFailed('rejected', 'untrusted_chain')
    if (role === 'leaf' && certificate.publicKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new StoreFailed('rejected', 'invalid_certificate')
    const marker = role === 'leaf' ? leafMarker : intermediateMarker
    if (!ids.includes(marker)) throw new StoreFailed('rejected', 'missing_certificate_extension')
    verified.set(key, certificate)
    return certificate
  }

  async function verifyChain(texts: readonly unknown[]): Promise<Chain> {
    const [leaf, intermediate, root] = texts.map(certificateIn)
    if (!leaf || !intermediate || !root) throw new StoreFailed('rejected', 'invalid_certificate')
    if (!rootFingerprints.includes(root.fingerprint256)) throw new StoreFailed('rejected', 'untrusted_chain')
    const verifiedLeaf = await verify('leaf', leaf, await verify('intermediate', intermediate, root))
    const certificates = [leaf, intermediate, root]
    return {
      leafKey: verifiedLeaf.publicKey,
      validFrom_ms: Math.max(...certificates.map(({ validFrom }) => Date.parse(validFrom))) - skew_ms,
      validTo_ms: Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))) + skew_ms,
    }
  }

  return async (texts, at_ms) => {
    if (texts.length !== chainLength) throw new StoreFailed('rejected', 'invalid_chain_length')
    const name = JSON.stringify(texts)
    const known = chains.get(name)
    const chain = known ?? (await verifyChain(texts))
    if (!known) chains.set(name, chain)
    const isValid = chain.validFrom_ms <= at_ms && at_ms <= chain.validTo_ms
    if (!isValid) throw new StoreFailed('rejected', 'certificate_expired')
    return chain.leafKey
  }
}

/** DER in standard base64, with its padding; undefined for anything else. */
function certificateIn(text: unknown): X509Certificate | undefined {
  const isBase64 = typeof text === 'string' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  if (!isBase64 || text.length > certificate_chars_max) return undefined
  try {
    return new X509Certificate(Buffer.from(text, 'base64'))
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Node does not show extensions of other kinds. The package that does is loaded with the first certificate. */
async function extensionsOf({ raw }: X509Certificate) {
  const { certificateExtensions } = await import('./certificate-extensions.ts')
  return certificateExtensions(raw)
}
