import type { AccountId, ApplicationId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Scope } from '../../../domain/oauth2-authorization/scopes.ts'
import type { Delegating } from './account-queries.ts'

/** An issued token that is neither used up nor revoked. The reader checks whether it has expired. */
export interface OAuth2TokenRecord {
  readonly kind: 'access' | 'refresh'
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  /** The session of the account that the token ends with; null for none. */
  readonly sessionHash: string | null
  readonly scopes: readonly Scope[]
  readonly issuedAt: Timestamp
  readonly expiresAt: Timestamp
  /** The account's when it authorised the application: see `stillSpeaks`. */
  readonly delegationVersion: number
}

/** The scopes that an account has granted to an application. */
export interface AuthorizationRecord {
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  readonly authorizedAt: Timestamp
}

/** Authorisations and tokens of existing applications and accounts. */
export interface OAuth2Queries {
  /** `tokenHash`: base64url SHA-256. */
  token(tokenHash: string): Promise<OAuth2TokenRecord | undefined>
  /** Any one of the live tokens of a family. `familyHash`: base64url SHA-256. */
  family(familyHash: string): Promise<OAuth2TokenRecord | undefined>
  authorization(account: Delegating, application: ApplicationId): Promise<AuthorizationRecord | undefined>
  /** The authorisations of an account, by application id; at most `listedAuthorizations_max`. */
  authorizationsOf(account: Delegating): Promise<readonly AuthorizationRecord[]>
}
