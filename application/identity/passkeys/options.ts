import type { Account, WebAuthnCredential } from '../../../domain/account/state.ts'
import type { RelyingParty } from '../../ports/passkeys.ts'

/** The options that a page passes to the browser, with the names that WebAuthn gives them. */

const timeout_ms = 60_000
/** EdDSA, ES256 and RS256 by their COSE numbers. */
export const passkeyAlgorithms = [-8, -7, -257] as const

/** Authentication options for the given credentials; with 'any', for every credential that the authenticator finds. */
export function authenticationOptions(
  party: RelyingParty,
  challenge: string,
  credentials: readonly WebAuthnCredential[] | 'any',
) {
  return {
    challenge,
    timeout: timeout_ms,
    rpId: party.id,
    ...(credentials === 'any' ? {} : { allowCredentials: credentials.map(descriptor) }),
    userVerification: credentials === 'any' ? ('required' as const) : ('discouraged' as const),
  }
}

export type AuthenticationOptions = ReturnType<typeof authenticationOptions>

/** Registration options. */
export function registrationOptions(
  party: RelyingParty,
  challenge: string,
  { id, username, secondFactors }: Pick<Account, 'id' | 'username' | 'secondFactors'>,
) {
  return {
    rp: { name: party.name, id: party.id },
    user: { id: Buffer.from(id).toString('base64url'), name: username, displayName: username },
    challenge,
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: timeout_ms,
    excludeCredentials: secondFactors.webAuthnCredentials.map(descriptor),
    authenticatorSelection: {
      residentKey: 'preferred' as const,
      requireResidentKey: false,
      userVerification: 'preferred' as const,
    },
    attestation: 'none' as const,
    extensions: { credProps: true },
    hints: [] as readonly string[],
  }
}

export type RegistrationOptions = ReturnType<typeof registrationOptions>

function descriptor({ id, transports }: WebAuthnCredential) {
  return { id, type: 'public-key' as const, ...(transports.length > 0 ? { transports } : {}) }
}
