import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { OAuth2AuthorizationEvent, TokenPair } from '../../../domain/oauth2-authorization/events.ts'
import type { Scope } from '../../../domain/oauth2-authorization/scopes.ts'
import { ada, engine, start } from '../../../domain/testing/people.ts'

/** The events of what Ada lets an application do, and the commands that lead to them. */

export const parties = { accountId: ada, applicationId: engine }
export const later = (seconds: number): Timestamp => secondsAfter(start, seconds)

export const consented = (scopes: readonly Scope[], at = start): OAuth2AuthorizationEvent => ({
  type: 'ApplicationAuthorized',
  data: { ...parties, scopes, authorizedAt: at },
})
export const pair = (number: number, at = start, scopes: readonly Scope[] = ['identify']) =>
  ({
    scopes,
    familyHash: 'family',
    accessTokenHash: `access-${number}`,
    accessExpiresAt: secondsAfter(at, 100),
    refreshTokenHash: `refresh-${number}`,
    refreshExpiresAt: secondsAfter(at, 1000),
    issuedAt: at,
  }) satisfies TokenPair
export const issued = (
  number: number,
  endedTokenHashes: readonly string[] = [],
  at = start,
): OAuth2AuthorizationEvent => ({
  type: 'OAuth2TokensIssued',
  data: { ...parties, ...pair(number, at), endedTokenHashes },
})
export const refreshed = (
  presented: number,
  number: number,
  endedTokenHashes: readonly string[] = [],
  at = start,
): OAuth2AuthorizationEvent => ({
  type: 'OAuth2TokensRefreshed',
  data: {
    ...parties,
    ...pair(number, at),
    endedTokenHashes,
    presentedTokenHash: `refresh-${presented}`,
    addressHash: 'here',
  },
})
export const revoked: OAuth2AuthorizationEvent = {
  type: 'AuthorizationRevoked',
  data: { ...parties, by: 'account', revokedAt: start },
}

export const authorize = (scopes: readonly Scope[], now = start) =>
  ({ type: 'AuthorizeApplication', ...parties, scopes, delegationVersion: 0, now }) as const
export const issue = (number: number, now = start, scopes: readonly Scope[] = ['identify']) => {
  const { issuedAt: _, ...tokens } = pair(number, now, scopes)
  return { type: 'IssueTokens', ...tokens, delegationVersion: 0, now } as const
}
export const refresh = (presented: number, number: number, now = start) => {
  const { issuedAt: _, scopes: __, ...tokens } = pair(number, now)
  const token = { hash: `refresh-${presented}`, addressHash: 'here' }
  return { type: 'RefreshTokens', ...tokens, presented: token, delegationVersion: 0, now } as const
}
export const useAgain = (presented: number, now: Timestamp, addressHash = 'here') =>
  ({
    type: 'EndTokenFamily',
    familyHash: 'family',
    presented: { hash: `refresh-${presented}`, addressHash },
    now,
  }) as const
export const ended = (now: Timestamp, ...endedTokenHashes: readonly string[]): OAuth2AuthorizationEvent => ({
  type: 'TokenFamilyEnded',
  data: { ...parties, familyHash: 'family', endedTokenHashes, endedAt: now },
})
export const revoke = { type: 'RevokeAuthorization', by: 'account', now: start } as const

export const basis = [consented(['identify', 'email'])]
