import type { AccountId, ApplicationId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { Scope } from '../../../domain/oauth2-authorization/scopes.js'

/** A token that was issued and neither used up nor revoked; whether it has expired is the reader's to see. */
export interface OAuth2TokenRecord {
  readonly kind: 'access' | 'refresh'
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  readonly issuedAt: Timestamp
  readonly expiresAt: Timestamp
}

/** What an account lets an application do. */
export interface AuthorizationRecord {
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  readonly authorizedAt: Timestamp
}

/** The most that `authorizationsOf` gives. */
export const listedAuthorizations_max = 1000

/** Authorisations and tokens of applications and accounts that exist. */
export interface OAuth2Queries {
  /** `tokenHash`: base64url SHA-256. */
  token(tokenHash: string): Promise<OAuth2TokenRecord | undefined>
  /** One of the tokens that live of a family, whichever. `familyHash`: base64url SHA-256. */
  family(familyHash: string): Promise<OAuth2TokenRecord | undefined>
  authorization(account: AccountId, application: ApplicationId): Promise<AuthorizationRecord | undefined>
  /** Those of an account, by the ids of the applications; at most `listedAuthorizations_max`. */
  authorizationsOf(account: AccountId): Promise<readonly AuthorizationRecord[]>
}
