/** A verifier of PKCE, and its challenge by S256 (RFC 7636). */
export interface ProofKey {
  readonly verifier: string
  readonly challenge: string
}

export async function newProofKey(): Promise<ProofKey> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64Url(new Uint8Array(digest)) }
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
