import type { AccountId, ApplicationId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { Scope } from './scopes.js'

/** Where an account stands with an application. Whoever revoked may authorise anew. */
export type OAuth2AuthorizationState =
  | { readonly status: 'absent' }
  | ({ readonly status: 'granted' } & OAuth2Authorization)
  | { readonly status: 'revoked' }

export interface OAuth2Authorization {
  readonly accountId: AccountId
  readonly applicationId: ApplicationId
  readonly scopes: readonly Scope[]
  /** When the account consented last. */
  readonly authorizedAt: Timestamp
  /** Oldest first, at most `liveTokens_max`. */
  readonly accessTokens: readonly LiveToken[]
  /** Oldest first, at most `liveTokens_max`. */
  readonly refreshTokens: readonly LiveToken[]
}

export interface LiveToken {
  /** base64url SHA-256. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: Timestamp
}

/**
 * How many tokens of each kind live at once for one account and application: one more ends the oldest. So a client that asks for
 * tokens without end holds no more of them than this, and states stay small.
 */
export const liveTokens_max = 50
