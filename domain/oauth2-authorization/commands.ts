import type { AccountId, ApplicationId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { AuthorizationRevoked, TokenPair } from './events.js'
import type { Scope } from './scopes.js'

export type OAuth2AuthorizationCommand =
  AuthorizeApplication | IssueTokens | RefreshTokens | EndTokenFamily | RevokeAuthorization

export interface AuthorizeApplication {
  readonly type: 'AuthorizeApplication'
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  readonly now: Timestamp
}

/** For an authorisation code that was taken. */
export interface IssueTokens extends Omit<TokenPair, 'issuedAt'> {
  readonly type: 'IssueTokens'
  readonly now: Timestamp
}

/** The new tokens are good for what the presented one was. */
export interface RefreshTokens extends Omit<TokenPair, 'issuedAt' | 'scopes'> {
  readonly type: 'RefreshTokens'
  /** base64url SHA-256 of the refresh token that is exchanged. */
  readonly presentedTokenHash: string
  readonly now: Timestamp
}

/** An authorisation code, or a refresh token, was presented after it had served. */
export interface EndTokenFamily {
  readonly type: 'EndTokenFamily'
  readonly familyHash: string
  /** base64url SHA-256 of the refresh token that was presented; null for an authorisation code. */
  readonly presentedTokenHash: string | null
  readonly now: Timestamp
}

export interface RevokeAuthorization {
  readonly type: 'RevokeAuthorization'
  readonly by: AuthorizationRevoked['by']
  readonly now: Timestamp
}
