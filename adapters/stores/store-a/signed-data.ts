import { verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import { epochMilliseconds } from '../instants.ts'
import { jsonIn } from '../json-in.ts'
import { StoreFailed } from '../store-failed.ts'
import { certificateChains } from './certificate-chain.ts'

/** Signed data of store A has a date, at which its certificates have to be valid. */
const dated = z.object({ signedDate: epochMilliseconds })
/** With `crit` a signer asks for more than is done here; `b64` is one such thing. */
const nothingMore = z.never().optional()
const protectedHeader = z.object({ alg: z.unknown(), x5c: z.unknown(), crit: nothingMore, b64: nothingMore })
/** Two numbers of 32 bytes, in base64url. */
const es256Signature = /^[\w-]{86}$/

/** Verifies a text and gives its payload. Throws StoreFailed, `rejected`, with a word for what is wrong. */
export type VerifySigned = <Payload>(text: string, schema: z.ZodType<Payload>) => Promise<Payload>

/** Verifies what store A has signed: algorithm, certificates, signature, then the form of the payload. */
export function signedData(rootFingerprints: readonly string[]): VerifySigned {
  const leafKeyOf = certificateChains(rootFingerprints)
  return async (text, schema) => {
    const [head = '', body = '', signature, ...rest] = text.split('.')
    const header = protectedHeader.safeParse(decoded(head)).data
    if (!header || signature === undefined || rest.length > 0) throw new StoreFailed('rejected', 'malformed')
    if (header.alg !== 'ES256') throw new StoreFailed('rejected', 'unsupported_algorithm')
    if (!Array.isArray(header.x5c)) throw new StoreFailed('rejected', 'invalid_chain_length')
    const payload = decoded(body)
    const { signedDate } = payloadOf(payload, dated)
    const leafKey = await leafKeyOf(header.x5c, msOf(signedDate))
    if (!isSigned(`${head}.${body}`, signature, leafKey)) throw new StoreFailed('rejected', 'invalid_signature')
    return payloadOf(payload, schema)
  }
}

/** At once: handing so short a work to another thread costs more than the work. */
function isSigned(text: string, signature: string, key: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  return (
    es256Signature.test(signature) && verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes)
  )
}

function payloadOf<Payload>(value: unknown, schema: z.ZodType<Payload>): Payload {
  const { data, error } = schema.safeParse(value)
  if (error) throw new StoreFailed('rejected', 'invalid_payload')
  return data
}

const decoded = (part: string): unknown => jsonIn(Buffer.from(part, 'base64url').toString('utf8'))
