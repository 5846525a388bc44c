import type { Credential } from '../../../application/caller.js'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.js'
import type { SessionTokens } from '../../../application/ports/session-tokens.js'

/** Whom a request's credential names. */
export interface Authenticated {
  readonly account: AccountRecord
  readonly credential: Credential
}

const sessionToken = /^gld_[A-Za-z0-9]{36}$/
const bearerPrefix = 'Bearer '

/**
 * Resolves an Authorization header (contract part 1, Authentication, rules 1, 3 and 8). Whatever does not resolve, for
 * whichever reason, is undefined: an operation that needs nobody ignores it.
 */
export type ResolveCredential = (authorization: string | undefined) => Promise<Authenticated | undefined>

/** Resolves the tokens of user sessions. */
export function sessionCredentials(sessions: SessionTokens): ResolveCredential {
  return async (authorization) => {
    const token = sessionTokenIn(authorization)
    const session = token === undefined ? undefined : await sessions.resolve(token)
    return session && { account: session.account, credential: { kind: 'session', tokenHash: session.tokenHash } }
  }
}

/**
 * A session token stands by itself, or behind `Bearer`. Bot tokens, OAuth2 access tokens and Admin keys are not issued yet,
 * so `Bot`, any other `Bearer` and `Admin` name nobody.
 */
function sessionTokenIn(header: string | undefined): string | undefined {
  const token = header?.startsWith(bearerPrefix) ? header.slice(bearerPrefix.length) : header
  return token !== undefined && sessionToken.test(token) ? token : undefined
}
