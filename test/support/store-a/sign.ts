import { CompactSign, type CompactJWSHeaderParameters, type CryptoKey } from 'jose'
import type { StoreACertificates } from './certificates.ts'

export interface SigningFaults {
  /** Replaces the chain in the header. */
  readonly x5c?: readonly string[]
  /** More members of the header, or others. */
  readonly header?: Partial<CompactJWSHeaderParameters>
  readonly key?: CryptoKey
}

/** Signs a payload as store A does. */
export function signAsStoreA(
  payload: object,
  { chain, leafKey }: StoreACertificates,
  { x5c, header, key }: SigningFaults = {},
): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', x5c: [...(x5c ?? chain)], ...header })
    .sign(key ?? leafKey)
}

/** The same text with another signature of the right length. */
export function withAlteredSignature(text: string): string {
  const [head, body, signature = ''] = text.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  bytes[7] = (bytes[7] ?? 0) ^ 1
  return [head, body, bytes.toString('base64url')].join('.')
}

/** Its header or payload, decoded. */
export function decodedPart(text: string, part: 0 | 1): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(text.split('.')[part] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>
}
