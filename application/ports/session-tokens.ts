import type { AccountRecord } from './queries/account-queries.ts'

/** A live session and the account that it belongs to. */
export interface AuthenticatedSession {
  readonly account: AccountRecord
  /** base64url SHA-256 of the token: the public id of the session. */
  readonly tokenHash: string
}

/** Finds the account of a session token. Undefined for unknown, malformed and ended sessions alike. */
export interface SessionTokens {
  resolve(token: string): Promise<AuthenticatedSession | undefined>
}
