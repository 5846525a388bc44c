/**
 * A command by which a holder gives or takes a way into the account. With `bySession`, the account refuses it with UNAUTHORIZED once
 * that session has ended: an act that ends a session also stops what a request of that session is still doing.
 */
export interface BySession {
  /** The hash of the token of the session that asks. Absent if the request had none, or it proves itself. */
  readonly bySession?: string
}
