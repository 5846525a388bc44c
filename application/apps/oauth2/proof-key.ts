import { createHash, timingSafeEqual } from 'node:crypto'

/** What a client has to prove itself by when it exchanges a code (RFC 7636). */
export interface ProofKeyChallenge {
  readonly challenge: string
  readonly method: 'S256' | 'plain'
}

/**
 * Whether a verifier answers a challenge; where there is no challenge, whether there is no verifier either: a client that sends
 * one had its challenge taken away on the way.
 */
export function provesKey(verifier: string | null, expected: ProofKeyChallenge | null): boolean {
  if (expected === null || verifier === null) return expected === null && verifier === null
  const given = expected.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return isSame(given, expected.challenge)
}

/** In a time that says nothing of where two texts differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
