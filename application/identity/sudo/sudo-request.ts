/** What a request brings to prove who sends it (contract part 1, Sudo verification fields). */
export interface SudoRequest extends SudoFields {
  /** The header X-Service-Sudo-Mode-JWT. */
  readonly proof: string | null
}

/** The members of the body; null for one that was not sent. */
export interface SudoFields {
  readonly password: string | null
  readonly mfaMethod: 'totp' | 'webauthn' | null
  /** A code of the authenticator, or a backup code. */
  readonly mfaCode: string | null
  readonly webauthnResponse: object | null
  readonly webauthnChallenge: string | null
}

/** How somebody was found to be who they are, which decides what the answer carries. */
export type SudoOutcome =
  /** Nothing is sent back: a bot, an account with nothing to prove itself by, or a password. */
  | { readonly by: 'nothing to issue' }
  /** The proof of the request was right: it is sent back as it is. */
  | { readonly by: 'proof'; readonly proof: string }
  /** A second factor was right: a new proof is issued. */
  | { readonly by: 'second factor' }
