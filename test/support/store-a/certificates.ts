import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509'

type Keys = webcrypto.CryptoKeyPair

/** The certificates that signed data of store A carries, and the key of the leaf. */
export interface StoreACertificates {
  /** Leaf, intermediate, root: base64 of DER. */
  readonly chain: readonly [leaf: string, intermediate: string, root: string]
  readonly rootPem: string
  readonly leafKey: webcrypto.CryptoKey
}

/** What is wrong with certificates. Each replaces what is right. */
export interface CertificateFaults {
  readonly intermediateIsNoAuthority?: boolean
  readonly leafIsAuthority?: boolean
  /** The leaf's key may sign data alone: an authority by name, without a key that may sign certificates. */
  readonly leafSignsDataAlone?: boolean
  readonly withoutLeafMarker?: boolean
  readonly withoutIntermediateMarker?: boolean
  /** The leaf's. */
  readonly notAfter?: Date
  /** The leaf's key is of this curve instead of P-256. */
  readonly leafCurve?: 'P-384'
}

export interface Authority {
  readonly certificate: X509Certificate
  readonly keys: Keys
}

const names = {
  root: 'CN=Test Root CA - G3, O=Nobody',
  intermediate: 'CN=Test Developer Relations, O=Nobody',
  leaf: 'CN=Test Signing, O=Nobody',
}
const markers = { leaf: '1.2.840.113635.100.6.11.1', intermediate: '1.2.840.113635.100.6.2.1' }
const hash = { name: 'ECDSA', hash: 'SHA-384' }
const notBefore = new Date('2020-01-01T00:00:00Z')
const notAfter = new Date('2045-01-01T00:00:00Z')

/** A root of its own, of the names of every other one. */
export async function newRoot(): Promise<Authority> {
  const keys = await keysOf('P-384')
  const extensions = [new BasicConstraintsExtension(true, undefined, true)]
  const shared = { serialNumber: '01', notBefore, notAfter, signingAlgorithm: hash, extensions }
  return { keys, certificate: await X509CertificateGenerator.createSelfSigned({ ...shared, name: names.root, keys }) }
}

/** An intermediate and a leaf below a root. */
export async function certificatesBelow(root: Authority, faults: CertificateFaults = {}): Promise<StoreACertificates> {
  const intermediateKeys = await keysOf('P-384')
  const leafKeys = await keysOf(faults.leafCurve ?? 'P-256')
  const intermediate = await issued(names.intermediate, intermediateKeys, [names.root, root.keys], {
    isAuthority: faults.intermediateIsNoAuthority !== true,
    marker: faults.withoutIntermediateMarker ? undefined : markers.intermediate,
  })
  const leaf = await issued(names.leaf, leafKeys, [names.intermediate, intermediateKeys], {
    isAuthority: faults.leafIsAuthority === true,
    marker: faults.withoutLeafMarker ? undefined : markers.leaf,
    until: faults.notAfter,
    signsDataAlone: faults.leafSignsDataAlone === true,
  })
  const [leafText, intermediateText, rootText] = [leaf, intermediate, root.certificate].map(base64Of)
  return {
    chain: [String(leafText), String(intermediateText), String(rootText)],
    rootPem: root.certificate.toString('pem'),
    leafKey: leafKeys.privateKey,
  }
}

function issued(
  subject: string,
  { publicKey }: Keys,
  [issuer, { privateKey }]: readonly [string, Keys],
  {
    isAuthority,
    marker,
    until = notAfter,
    signsDataAlone = false,
  }: { isAuthority: boolean; marker: string | undefined; until?: Date | undefined; signsDataAlone?: boolean },
): Promise<X509Certificate> {
  const asn1Null = new Uint8Array([5, 0]).buffer
  return X509CertificateGenerator.create({
    serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)))
      .toString('hex')
      .replace(/^./, '1'),
    subject,
    issuer,
    notBefore,
    notAfter: until,
    signingAlgorithm: hash,
    publicKey,
    signingKey: privateKey,
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      ...(signsDataAlone ? [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)] : []),
      ...(marker === undefined ? [] : [new Extension(marker, false, asn1Null)]),
    ],
  })
}

function keysOf(namedCurve: string): Promise<Keys> {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify'])
}

function base64Of({ rawData }: X509Certificate): string {
  return Buffer.from(rawData).toString('base64')
}
