import type { AccountId, ApplicationId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { AuthorizationRevoked, TokenPair } from './events.ts'
import type { Scope } from './scopes.ts'

export type OAuth2AuthorizationCommand =
  | AuthorizeApplication
  | IssueTokens
  | RefreshTokens
  | EndTokenFamily
  | RevokeAuthorization

export interface AuthorizeApplication {
  readonly type: 'AuthorizeApplication'
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  /** The account's. It replaces what was authorised under another one. */
  readonly delegationVersion: number
  readonly now: Timestamp
}

/** For an authorisation code that was used up. */
export interface IssueTokens extends Omit<TokenPair, 'delegationVersion' | 'issuedAt'> {
  readonly type: 'IssueTokens'
  /** The account's. */
  readonly delegationVersion: number
  readonly now: Timestamp
}

/** The new tokens have the scopes of the presented one, and end with the same session. */
export interface RefreshTokens extends Omit<TokenPair, 'delegationVersion' | 'issuedAt' | 'scopes' | 'sessionHash'> {
  readonly type: 'RefreshTokens'
  /** The account's. */
  readonly delegationVersion: number
  /** The refresh token being exchanged. */
  readonly presented: PresentedToken
  /**
   * Whether a used token that comes again within `repeatedUse_s` from the same address gets tokens too. If absent, it is refused.
   */
  readonly givesToRepeats?: true
  readonly now: Timestamp
}

/** An authorisation code or refresh token was presented a second time. */
export interface EndTokenFamily {
  readonly type: 'EndTokenFamily'
  readonly familyHash: string
  /** The refresh token; null for an authorisation code. */
  readonly presented: PresentedToken | null
  readonly now: Timestamp
}

/** A refresh token, as a request presents it. */
export interface PresentedToken {
  /** base64url SHA-256. */
  readonly hash: string
  /** Keyed hash of the address that it came from. */
  readonly addressHash: string
}

export interface RevokeAuthorization {
  readonly type: 'RevokeAuthorization'
  readonly by: AuthorizationRevoked['by']
  readonly now: Timestamp
}
