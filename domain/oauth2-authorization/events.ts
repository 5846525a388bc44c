import type { AccountId, ApplicationId } from '../ids/ids.js'
import { event, type EventOf } from '../kernel/event-catalog.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Scope } from './scopes.js'

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

/** What can happen between one account and one OAuth2 application. Kept forever: members are added, never renamed or reused. */
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

/** Every event says who authorised which application. */
interface Parties {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
}

/** The account consented. */
export interface ApplicationAuthorized extends Parties {
  /** All that the application may ask for from here on, what was consented to before included. */
  readonly scopes: readonly Scope[]
  readonly authorizedAt: Timestamp
}

/** An authorisation code was exchanged. */
export interface OAuth2TokensIssued extends Parties, TokenPair {
  /** Hashes of older tokens that are worth nothing from here on: they have expired, or are too many. */
  readonly endedTokenHashes: readonly string[]
}

/** A refresh token was exchanged, which is worth nothing from here on. */
export interface OAuth2TokensRefreshed extends OAuth2TokensIssued {
  readonly presentedTokenHash: string
}

/** An access token and the refresh token that was issued with it; of both, the base64url SHA-256. */
export interface TokenPair {
  /** What the access token is good for. */
  readonly scopes: readonly Scope[]
  /** base64url SHA-256 of the family that both are of. Pairs that were issued before there were families have none. */
  readonly familyHash?: string
  readonly accessTokenHash: string
  readonly accessExpiresAt: Timestamp
  readonly refreshTokenHash: string
  readonly refreshExpiresAt: Timestamp
  readonly issuedAt: Timestamp
}

/** A code or refresh token was used twice, so somebody else may have it: nothing that it gave is worth anything from here on. */
export interface TokenFamilyEnded extends Parties {
  readonly familyHash: string
  /** Hashes of the tokens of the family that lived. */
  readonly endedTokenHashes: readonly string[]
  readonly endedAt: Timestamp
}

/** Nothing of the authorisation is left, and no token of it. */
export interface AuthorizationRevoked extends Parties {
  /** The account itself, or the application that gave a token back. */
  readonly by: 'account' | 'application'
  readonly revokedAt: Timestamp
}
