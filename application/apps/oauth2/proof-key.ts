import { createHash, timingSafeEqual } from 'node:crypto'

/** What a client must prove when it exchanges a code (RFC 7636). */
export interface ProofKeyChallenge {
  readonly challenge: string
  readonly method: 'S256' | 'plain'
}

/**
 * Whether a verifier matches a challenge. Without a challenge there must be no verifier either: if the client sends one, somebody
 * removed its challenge on the way.
 */
export function provesKey(verifier: string | null, expected: ProofKeyChallenge | null): boolean {
  if (expected === null || verifier === null) return expected === null && verifier === null
  const given = expected.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  return isSame(given, expected.challenge)
}

/** Takes constant time, so it does not reveal where two texts differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
