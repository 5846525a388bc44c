import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { cbor, type Cbor } from './cbor.ts'

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

export interface AuthenticatorSettings {
  /** The origin of the page that requests the passkey. */
  readonly origin: string
  readonly algorithm?: Algorithm
  /** Whether it counts its signatures. */
  readonly counts?: boolean
  /** Whether it verifies its user. */
  readonly verifiesUser?: boolean
  /** Whether it signs attestations with the new key itself. Others leave them empty. */
  readonly attestsItself?: boolean
  /** Chosen, as by a thief. Default: drawn at random. */
  readonly credentialId?: Buffer
}

export interface Attestation {
  readonly fmt: string
  readonly attStmt: Cbor
}

/** False values in an answer. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly counter?: number
  readonly userHandle?: string | null
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  /** The COSE key, for tests with an invalid one. */
  readonly publicKey?: Cbor
  /** Made from the bytes that attestations sign. */
  readonly attestation?: (signed: Buffer) => Attestation
}

interface CreationOptions {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly challenge: string
}

interface RequestOptions {
  readonly rpId: string
  readonly challenge: string
}

/** A passkey in software: real keys, real attestations (`none`) and real assertions, as a browser would pass them on. */
export interface SoftwareAuthenticator {
  /** base64url. */
  readonly credentialId: string
  /** A registration response. From then on it remembers the passkey's user. */
  create(options: CreationOptions, lies?: Lies): object
  /** An assertion. */
  get(options: RequestOptions, lies?: Lies): object
}

export function softwareAuthenticator(settings: AuthenticatorSettings): SoftwareAuthenticator {
  const { origin, algorithm = 'ES256', counts = true, verifiesUser = true } = settings
  const { publicKey, privateKey } = keyPair(algorithm)
  const id = settings.credentialId ?? randomBytes(32)
  const credentialId = id.toString('base64url')
  const common = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} }
  let counter = 0
  let userHandle: string | undefined
  const dataFor = (rpId: string, lies: Lies, attested: Buffer | undefined): Buffer => {
    counter += counts ? 1 : 0
    return authenticatorData(lies.rpId ?? rpId, {
      userPresent: lies.userPresent ?? true,
      userVerified: lies.userVerified ?? verifiesUser,
      counter: lies.counter ?? counter,
      attested,
    })
  }
  return {
    credentialId,
    create({ rp, user, challenge }, lies = {}) {
      userHandle = user.id
      const attested = attestedCredential(id, cbor(lies.publicKey ?? coseKey(algorithm, publicKey)))
      const authData = dataFor(rp.id, lies, attested)
      const clientData = clientDataJson('webauthn.create', { origin, challenge, ...lies })
      const toSign = Buffer.concat([authData, sha256(clientData)])
      const attest = lies.attestation ?? (settings.attestsItself ? byItself(algorithm, privateKey) : empty)
      const { fmt, attStmt } = attest(toSign)
      const attestation = cbor(new Map<string, Cbor>([['fmt', fmt], ['attStmt', attStmt], ['authData', authData]])) // oxfmt-ignore
      const response = { clientDataJSON: text(clientData), attestationObject: text(attestation) }
      return { ...common, authenticatorAttachment: 'platform', response: { ...response, transports: ['internal'] } }
    },
    get({ rpId, challenge }, lies = {}) {
      const authData = dataFor(rpId, lies, undefined)
      const clientData = clientDataJson('webauthn.get', { origin, challenge, ...lies })
      const signature = signed(algorithm, privateKey, Buffer.concat([authData, sha256(clientData)]))
      const handle = lies.userHandle === undefined ? userHandle : (lies.userHandle ?? undefined)
      const response = {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(signature),
      }
      return { ...common, response: { ...response, ...(handle === undefined ? {} : { userHandle: handle }) } }
    },
  }
}

const empty = (): Attestation => ({ fmt: 'none', attStmt: new Map<string, Cbor>() })

function byItself(algorithm: Algorithm, key: KeyObject): (toSign: Buffer) => Attestation {
  return (toSign) => ({
    fmt: 'packed',
    attStmt: new Map<string, Cbor>([['alg', coseAlgorithms[algorithm]], ['sig', signed(algorithm, key, toSign)]]), // oxfmt-ignore
  })
}

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const coseAlgorithms = { ES256: -7, EdDSA: -8, RS256: -257 } as const

function keyPair(algorithm: Algorithm): KeyPair {
  switch (algorithm) {
    case 'ES256':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    case 'EdDSA':
      return generateKeyPairSync('ed25519')
    case 'RS256':
      return generateKeyPairSync('rsa', { modulusLength: 2048 })
  }
}

function signed(algorithm: Algorithm, key: KeyObject, data: Buffer): Buffer {
  return sign(algorithm === 'EdDSA' ? null : 'sha256', data, key)
}

/** A key in COSE form (RFC 9053): 1 is the type of key, 3 the algorithm. */
function coseKey(algorithm: Algorithm, key: KeyObject): Cbor {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  switch (algorithm) {
    case 'ES256':
      return new Map<number, Cbor>([[1, 2], [3, coseAlgorithms.ES256], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]) // oxfmt-ignore
    case 'EdDSA':
      return new Map<number, Cbor>([[1, 1], [3, coseAlgorithms.EdDSA], [-1, 6], [-2, bytes(x)]]) // oxfmt-ignore
    case 'RS256':
      return new Map<number, Cbor>([[1, 3], [3, coseAlgorithms.RS256], [-1, bytes(n)], [-2, bytes(e)]]) // oxfmt-ignore
  }
}

interface Facts {
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly counter: number
  readonly attested: Buffer | undefined
}

/** Authenticator data (WebAuthn 3, 6.1). */
function authenticatorData(rpId: string, { userPresent, userVerified, counter, attested }: Facts): Buffer {
  const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | (attested ? 64 : 0)
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), tail, attested ?? Buffer.alloc(0)])
}

function attestedCredential(id: Buffer, publicKey: Buffer): Buffer {
  const idLength = Buffer.alloc(2)
  idLength.writeUInt16BE(id.length)
  return Buffer.concat([Buffer.alloc(16), idLength, id, publicKey])
}

function clientDataJson(expectedType: string, said: Lies): Buffer {
  const { type = expectedType, challenge, origin } = said
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

const text = (data: Buffer): string => data.toString('base64url')
const bytes = (base64url: string): Buffer => Buffer.from(base64url, 'base64url')
const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest()
