import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for 127.0.0.1, valid for ten years, and its key, in PEM. */
export function certificateOfLocalhost(): { readonly key: string; readonly certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = der(tag.sequence, [
    der(tag.explicit0, [integer(2)]),
    integer(1),
    ecdsaWithSha256,
    name,
    der(tag.sequence, [time(new Date().getFullYear() - 1), time(new Date().getFullYear() + 9)]),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(tag.explicit3, [der(tag.sequence, [certifiesItself, isLocalhost])]),
  ])
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', signed, privateKey)])
  const certificate = der(tag.sequence, [signed, ecdsaWithSha256, der(tag.bitString, [signature])])
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  ipAddress: 0x87,
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const

/** One ASN.1 value in DER. */
function der(kind: number, parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head =
    length < 0x80 ? [kind, length] : length < 0x100 ? [kind, 0x81, length] : [kind, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

const integer = (value: number): Buffer => der(tag.integer, [Buffer.of(value)])
const objectId = (...bytes: readonly number[]): Buffer => der(tag.objectId, [Buffer.from(bytes)])
const time = (year: number): Buffer => der(tag.utcTime, [Buffer.from(`${String(year).slice(2)}0101000000Z`)])

const ecdsaWithSha256 = der(tag.sequence, [objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)])
const commonName = objectId(0x55, 0x04, 0x03)
const name = der(tag.sequence, [
  der(tag.set, [der(tag.sequence, [commonName, der(tag.utf8, [Buffer.from('eventstoredb-double')])])]),
])
const certifiesItself = der(tag.sequence, [
  objectId(0x55, 0x1d, 0x13),
  der(tag.octetString, [der(tag.sequence, [der(tag.boolean, [Buffer.of(0xff)])])]),
])
const isLocalhost = der(tag.sequence, [
  objectId(0x55, 0x1d, 0x11),
  der(tag.octetString, [der(tag.sequence, [der(tag.ipAddress, [Buffer.of(127, 0, 0, 1)])])]),
])
