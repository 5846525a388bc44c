/**
 * A command by which a holder gives or takes a way into the account. With `bySession`, the account refuses it with UNAUTHORIZED once
 * that session has ended: an act that ends a session also stops what a request of that session is still doing.
 */
export interface BySession {
  /** The hash of the token of the session that asks. Absent if the request had none, or it proves itself. */
  readonly bySession?: string
}

/**
 * A command that follows from a proof: a password, a passkey, a mailed token, an identity at a provider. With `provedUnder`, the account
 * refuses it with UNAUTHORIZED once its credentials have changed: the proof was of earlier ones.
 */
export interface ByProof {
  /** The account's `credentialVersion` when the proof was checked. Absent where nothing can take the proof back. */
  readonly provedUnder?: number
}
