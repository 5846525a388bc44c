/** The proofs in a request: members of its body, and a header. */
export interface SudoRequest extends SudoFields {
  /** The header X-Service-Sudo-Mode-JWT. */
  readonly proof: string | null
}

/** The members of the body; null for members that were not sent. */
export interface SudoFields {
  readonly password: string | null
  readonly mfaMethod: 'totp' | 'webauthn' | null
  /** A code of the authenticator, or a backup code. */
  readonly mfaCode: string | null
  readonly webauthnResponse: object | null
  readonly webauthnChallenge: string | null
}

/** How the sender was verified. This decides what the answer carries. */
export type SudoOutcome =
  /** Sends nothing back: a bot, an account with nothing to prove itself by, or a password. */
  | { readonly by: 'nothing to issue' }
  /** The request's proof was valid: it is sent back unchanged. */
  | { readonly by: 'proof'; readonly proof: string }
  /** A second factor was valid: a new proof is issued. */
  | { readonly by: 'second factor' }
