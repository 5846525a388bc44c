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
  /** Hashes of families that give no tokens any more, the newest `endedFamilies_max`. */
  readonly endedFamilies: readonly string[]
}

export interface LiveToken {
  /** base64url SHA-256. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** Absent in tokens that were issued before there were families. */
  readonly familyHash?: string
  readonly expiresAt: Timestamp
}

/**
 * How many tokens of each kind live at once for one account and application: one more ends the oldest. So a client that asks for
 * tokens without end holds no more of them than this, and states stay small.
 */
export const liveTokens_max = 50

/**
 * How many ended families are remembered. What is remembered decides only where a code is used twice at the same moment: the
 * second use may come to the stream before the tokens of the first.
 */
export const endedFamilies_max = 50
