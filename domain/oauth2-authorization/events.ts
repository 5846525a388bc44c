import type { AccountId, ApplicationId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Scope } from './scopes.ts'

const tokenPair = {
  accountId: 'text',
  applicationId: 'text',
  scopes: 'list',
  accessTokenHash: 'text',
  accessExpiresAt: 'text',
  refreshTokenHash: 'text',
  refreshExpiresAt: 'text',
  issuedAt: 'text',
  endedTokenHashes: 'list',
} as const

/** The events between one account and one OAuth2 application. Kept forever: members are added, never renamed or reused. */
export const oauth2AuthorizationEvents = {
  ApplicationAuthorized: event<ApplicationAuthorized>({
    accountId: 'text',
    applicationId: 'text',
    scopes: 'list',
    authorizedAt: 'text',
  }),
  OAuth2TokensIssued: event<OAuth2TokensIssued>(tokenPair),
  OAuth2TokensRefreshed: event<OAuth2TokensRefreshed>({ ...tokenPair, presentedTokenHash: 'text' }),
  TokenFamilyEnded: event<TokenFamilyEnded>({
    accountId: 'text',
    applicationId: 'text',
    familyHash: 'text',
    endedTokenHashes: 'list',
    endedAt: 'text',
  }),
  AuthorizationRevoked: event<AuthorizationRevoked>({
    accountId: 'text',
    applicationId: 'text',
    by: 'text',
    revokedAt: 'text',
  }),
}

export type OAuth2AuthorizationEvent = EventOf<typeof oauth2AuthorizationEvents>

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
  /** The account's `delegationVersion`; absent for 0. */
  readonly delegationVersion?: number
}

/** An authorisation code was exchanged. */
export interface OAuth2TokensIssued extends Parties, TokenPair {
  /** Hashes of older tokens that are invalid from now on: they have expired, or are too many. */
  readonly endedTokenHashes: readonly string[]
}

/** A refresh token was exchanged, and is invalid from now on. */
export interface OAuth2TokensRefreshed extends OAuth2TokensIssued {
  readonly presentedTokenHash: string
  /**
   * base64url HMAC-SHA-256 of the network address that the token came from. Its key is the token, which nobody keeps, so only those
   * who have the token can compare an address with it. Absent in the first released events.
   */
  readonly addressHash?: string
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
  /** That of the authorisation; absent for 0. */
  readonly delegationVersion?: number
  /**
   * base64url SHA-256 of the token of the account's session that both end with. Absent in pairs that outlive every session: those of
   * all applications but the console.
   */
  readonly sessionHash?: string
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
