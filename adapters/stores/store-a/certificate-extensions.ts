// The package needs this one, and does not import it itself.
import 'reflect-metadata'
import { X509Certificate } from '@peculiar/x509'

/** The object identifiers of a certificate's extensions. Takes DER that Node has read already. */
export function certificateExtensions(der: Uint8Array): readonly string[] {
  return new X509Certificate(new Uint8Array(der)).extensions.map(({ type }) => type)
}
