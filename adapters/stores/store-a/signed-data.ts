import { compactVerify, errors } from 'jose'
import { z } from 'zod'
import { msOf } from '../../../domain/kernel/timestamp.js'
import { epochMilliseconds } from '../instants.js'
import { StoreFailed } from '../store-failed.js'
import { certificateChains } from './certificate-chain.js'

/** Signed data of store A has a date, at which its certificates have to be valid. */
const dated = z.object({ signedDate: epochMilliseconds })
const protectedHeader = z.object({ alg: z.unknown(), x5c: z.unknown() })

/** Verifies a text and gives its payload. Throws StoreFailed, `rejected`, with a word for what is wrong. */
export type VerifySigned = <Payload>(text: string, schema: z.ZodType<Payload>) => Promise<Payload>

/** Verifies what store A has signed: algorithm, certificates, signature, then the form of the payload (reference stores 1.2). */
export function signedData(rootFingerprints: readonly string[]): VerifySigned {
  const leafKeyOf = certificateChains(rootFingerprints)
  return async (text, schema) => {
    const [head = '', body = '', ...rest] = text.split('.')
    const header = protectedHeader.safeParse(jsonIn(head)).data
    if (!header || rest.length !== 1) throw new StoreFailed('rejected', 'malformed')
    if (header.alg !== 'ES256') throw new StoreFailed('rejected', 'unsupported_algorithm')
    if (!Array.isArray(header.x5c)) throw new StoreFailed('rejected', 'invalid_chain_length')
    const { signedDate } = payloadOf(jsonIn(body), dated)
    const leafKey = await leafKeyOf(header.x5c, msOf(signedDate))
    return payloadOf(await verifiedPayload(text, leafKey), schema)
  }
}

async function verifiedPayload(text: string, key: Parameters<typeof compactVerify>[1]): Promise<unknown> {
  try {
    const { payload } = await compactVerify(text, key, { algorithms: ['ES256'] })
    return JSON.parse(Buffer.from(payload).toString('utf8'))
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof SyntaxError)) throw error
    throw new StoreFailed('rejected', 'invalid_signature', { cause: error })
  }
}

function payloadOf<Payload>(value: unknown, schema: z.ZodType<Payload>): Payload {
  const { data, error } = schema.safeParse(value)
  if (error) throw new StoreFailed('rejected', 'invalid_payload')
  return data
}

function jsonIn(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
