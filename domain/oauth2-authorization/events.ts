import type { AccountId, ApplicationId } from '../ids/ids.js'
import type { EventCatalog } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Scope } from './scopes.js'

/** The events between one account and one OAuth2 application. Kept forever: members are added, never renamed or reused. */
export type OAuth2AuthorizationEvent =
  | { readonly type: 'ApplicationAuthorized'; readonly data: ApplicationAuthorized }
  | { readonly type: 'OAuth2TokensIssued'; readonly data: OAuth2TokensIssued }
  | { readonly type: 'OAuth2TokensRefreshed'; readonly data: OAuth2TokensRefreshed }
  | { readonly type: 'TokenFamilyEnded'; readonly data: TokenFamilyEnded }
  | { readonly type: 'AuthorizationRevoked'; readonly data: AuthorizationRevoked }

/** Every event names the account and the application. */
interface Parties {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
}

/** The account consented. */
export interface ApplicationAuthorized extends Parties {
  /** All scopes granted to the application from now on, including earlier ones. */
  readonly scopes: readonly Scope[]
  readonly authorizedAt: Timestamp
}

/** An authorisation code was exchanged. */
export interface OAuth2TokensIssued extends Parties, TokenPair {
  /** Hashes of older tokens that are invalid from now on: they have expired, or are too many. */
  readonly endedTokenHashes: readonly string[]
}

/** A refresh token was exchanged, and is invalid from now on. */
export interface OAuth2TokensRefreshed extends OAuth2TokensIssued {
  readonly presentedTokenHash: string
}

/** An access token and the refresh token issued with it, each as its base64url SHA-256. */
export interface TokenPair {
  /** The scopes of the access token. */
  readonly scopes: readonly Scope[]
  /** base64url SHA-256 of the family of both. Absent in pairs issued before families existed. */
  readonly familyHash?: string
  readonly accessTokenHash: string
  readonly accessExpiresAt: Timestamp
  readonly refreshTokenHash: string
  readonly refreshExpiresAt: Timestamp
  readonly issuedAt: Timestamp
}

/** A code or refresh token was used twice, so it may be stolen: everything issued from it is invalid from now on. */
export interface TokenFamilyEnded extends Parties {
  readonly familyHash: string
  /** Hashes of the family's tokens that were live. */
  readonly endedTokenHashes: readonly string[]
  readonly endedAt: Timestamp
}

/** The authorisation and all its tokens have ended. */
export interface AuthorizationRevoked extends Parties {
  /** The account itself, or the application, which returned a token. */
  readonly by: 'account' | 'application'
  readonly revokedAt: Timestamp
}

export const oauth2AuthorizationEvents: EventCatalog<OAuth2AuthorizationEvent> = {
  category: 'oauth2_authorization',
  events: {
    ApplicationAuthorized: { version: 1 },
    OAuth2TokensIssued: { version: 1 },
    OAuth2TokensRefreshed: { version: 1 },
    TokenFamilyEnded: { version: 1 },
    AuthorizationRevoked: { version: 1 },
  },
}
