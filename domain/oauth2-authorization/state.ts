import type { AccountId, ApplicationId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Scope } from './scopes.ts'

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
  /** The account's when it consented. Once the account has another one, the authorisation is void. */
  readonly delegationVersion: number
  /** Oldest first, at most `liveTokens_max`. */
  readonly accessTokens: readonly LiveToken[]
  /** Oldest first, at most `liveTokens_max`. */
  readonly refreshTokens: readonly LiveToken[]
  /** Hashes of families that get no more tokens, the newest `endedFamilies_max`. */
  readonly endedFamilies: readonly string[]
  /** Refresh tokens used in the last `repeatedUse_s`, the newest `usedTokens_max`, oldest first. */
  readonly usedTokens: readonly UsedToken[]
}

export interface LiveToken {
  /** base64url SHA-256. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** Absent in tokens issued before families existed. */
  readonly familyHash?: string
  /** The session of the account that it ends with; absent if it ends with none. */
  readonly sessionHash?: string
  readonly expiresAt: Timestamp
}

/** A refresh token that was exchanged. */
export interface UsedToken {
  /** base64url SHA-256. */
  readonly hash: string
  /** Keyed hash of the address that it came from. */
  readonly addressHash: string
  readonly usedAt: Timestamp
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

/**
 * How long after its use a refresh token may come again from the same client and address without ending its family: a client that
 * refreshes twice at once, or tries again after a lost answer, is no thief. Decision 20.
 */
export const repeatedUse_s = 30

/** How many used refresh tokens are remembered: as many as live at once. */
export const usedTokens_max = liveTokens_max
