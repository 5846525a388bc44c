import type { AccountRecord } from './queries/account-queries.js'

/** A live session and the account that it belongs to. */
export interface AuthenticatedSession {
  readonly account: AccountRecord
  /** base64url SHA-256 of the token: the public id of the session. */
  readonly tokenHash: string
}

/** Finds out whom a session token belongs to. Unknown, malformed and ended ones are one and the same: undefined. */
export interface SessionTokens {
  resolve(token: string): Promise<AuthenticatedSession | undefined>
}
