import type { AccountId, ApplicationId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Scope } from './scopes.js'

/** The authorisation of an application by an account. After a revocation it can be granted again. */
export type OAuth2AuthorizationState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'granted' } & OAuth2Authorization)
  | { readonly status: 'revoked' }

export interface OAuth2Authorization {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  /** When the account last consented. */
  readonly authorizedAt: Timestamp
  /** Oldest first, at most `liveTokens_max`. */
  readonly accessTokens: readonly LiveToken[]
  /** Oldest first, at most `liveTokens_max`. */
  readonly refreshTokens: readonly LiveToken[]
  /** Hashes of families that get no more tokens, the newest `endedFamilies_max`. */
  readonly endedFamilies: readonly string[]
}

export interface LiveToken {
  /** base64url SHA-256. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** Absent in tokens issued before families existed. */
  readonly familyHash?: string
  readonly expiresAt: Timestamp
}

/**
 * How many tokens of each kind are live at once for one account and application: one more ends the oldest. So a client that keeps
 * asking for tokens holds no more than this, and states stay small.
 */
export const liveTokens_max = 50

/**
 * How many ended families are remembered. It matters only if a code is used twice at the same time: the second use may reach the
 * stream before the tokens of the first.
 */
export const endedFamilies_max = 50
