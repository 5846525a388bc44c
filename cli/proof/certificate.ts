import { z } from 'zod'
import { certificateSignature, isSignedBy } from '../../adapters/personal-data/certificate-signature.ts'

const kept = z.strictObject({ kind: z.string(), rule: z.string(), places: z.int() })
const amount = { count: z.int(), bytes: z.int() }

/** What a certificate says. It holds no value, and no hash of one. */
const proof = z.strictObject({
  what: z.literal('proof of the erasure of an account'),
  format: z.literal(1),
  program: z.string(),
  account: z.string(),
  /** When it was erased, as its event says; when its values were noted for that; and when they were looked for. */
  erasedAt: z.string(),
  notedAt: z.string(),
  lookedFrom: z.string(),
  lookedUntil: z.string(),
  /** Whether nothing opens any more what was sealed with its key. */
  keyIsDestroyed: z.boolean(),
  /** Whether its messages to others have another author by now: that takes a few minutes. */
  messagesAreAnonymous: z.boolean(),
  lookedFor: z.strictObject({
    values: z.array(z.strictObject({ kind: z.string(), count: z.int() })),
    /** Values of fewer bytes than `bytesMin`: they stand in any instance by chance. */
    tooShort: z.array(z.strictObject({ kind: z.string(), count: z.int() })),
    bytesMin: z.int(),
    /** Values of fewer bytes than this count only where they are a whole value. */
    inTextBytesMin: z.int(),
    images: z.int(),
    /** Whether all values were noted; otherwise those of the newest and the oldest events. */
    all: z.boolean(),
    /** Purchases that were not over: their secrets are kept until they are, and were not looked for. */
    runningPurchases: z.int(),
    /** Events that could not be read when the values were noted. */
    unreadEvents: z.int(),
    encodings: z.array(z.string()),
  }),
  lookedThrough: z.strictObject({
    events: z.strictObject({ store: z.string(), ...amount }),
    tables: z.array(z.strictObject({ table: z.string(), ...amount })),
    files: z.strictObject({ location: z.string(), ...amount }),
    unsentMails: z.strictObject(amount),
    logs: z.array(z.strictObject({ location: z.string(), ...amount })),
  }),
  notLookedThrough: z.array(z.string()),
  found: z.strictObject({
    places: z.int(),
    first: z.array(z.strictObject({ kind: z.string(), encoding: z.string(), where: z.string() })),
  }),
  keptByRule: z.array(kept),
  alsoOfOthers: z.array(kept),
})
export type Proof = z.output<typeof proof>

const certificateText = z.strictObject({ proof, publicKey: z.string(), signature: z.string() })
export type Certificate = z.output<typeof certificateText>

/** Signs a proof with the key of the instance. The signature is that of the proof as JSON without spaces. */
export function certify(said: Proof, personalDataKey: Uint8Array): Certificate {
  const own = certificateSignature(personalDataKey)
  return { proof: said, publicKey: own.publicKey, signature: own.sign(JSON.stringify(said)) }
}

/** Why a text is no certificate of the instance. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused'
}

/**
 * The proof of a certificate, if it is as the instance with this key signed it, however it is spaced. Throws CertificateRefused
 * otherwise.
 */
export function checkedProof(text: string, personalDataKey: Uint8Array): Proof {
  const { publicKey } = certificateSignature(personalDataKey)
  const parsed = certificateText.safeParse(jsonIn(text))
  if (!parsed.success) throw new CertificateRefused('This is no certificate of an erasure, or a part of it is missing')
  const { proof: said, publicKey: named, signature } = parsed.data
  if (named !== publicKey) throw new CertificateRefused('Another instance has signed this, or it was changed')
  // As it stands in the text: the order of members counts.
  const { proof: signed } = jsonIn(text) as { readonly proof: unknown }
  if (!isSignedBy(publicKey, JSON.stringify(signed), signature))
    throw new CertificateRefused('The certificate was changed after it was signed')
  return said
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
