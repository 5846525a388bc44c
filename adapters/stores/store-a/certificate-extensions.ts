// The package needs this one, and does not import it itself.
import 'reflect-metadata'
import { BasicConstraintsExtension, X509Certificate } from '@peculiar/x509'

export interface CertificateExtensions {
  /** The object identifiers of all extensions. */
  readonly ids: readonly string[]
  /** Whether it calls itself an authority, whatever its key may be used for. Node's `ca` asks for both. */
  readonly isAuthority: boolean
}

/** What the extensions of a certificate say. Takes DER that Node has read already. */
export function certificateExtensions(der: Uint8Array): CertificateExtensions {
  const { extensions } = new X509Certificate(new Uint8Array(der))
  return {
    ids: extensions.map(({ type }) => type),
    isAuthority: extensions.some((each) => each instanceof BasicConstraintsExtension && each.ca),
  }
}
