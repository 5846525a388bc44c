import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import { msOf, type Timestamp } from '../kernel/timestamp.js'
import type {
  AuthorizeApplication,
  IssueTokens,
  OAuth2AuthorizationCommand,
  RefreshTokens,
  RevokeAuthorization,
} from './commands.js'
import type { OAuth2AuthorizationEvent, OAuth2TokensIssued, TokenPair } from './events.js'
import { covers, joined } from './scopes.js'
import { liveTokens_max, type LiveToken, type OAuth2Authorization, type OAuth2AuthorizationState } from './state.js'

/**
 * What one account lets one application do, and the tokens that live for it. The stream of the two is what makes a refresh token
 * serve once. Reference identity 7.4.
 */
export const oauth2Authorization: Decider<
  OAuth2AuthorizationState,
  OAuth2AuthorizationCommand,
  OAuth2AuthorizationEvent
> = { category: 'oauth2_authorization', initial: { status: 'absent' }, decide, evolve }

function decide(
  state: OAuth2AuthorizationState,
  command: OAuth2AuthorizationCommand,
): Decision<OAuth2AuthorizationEvent> {
  switch (command.type) {
    case 'AuthorizeApplication':
      return authorize(state, command)
    case 'IssueTokens':
      return issue(state, command)
    case 'RefreshTokens':
      return refresh(state, command)
    case 'RevokeAuthorization':
      return revoke(state, command)
  }
}

/** Each consent adds to those before it. */
function authorize(
  state: OAuth2AuthorizationState,
  { accountId, applicationId, scopes, now }: AuthorizeApplication,
): Decision<OAuth2AuthorizationEvent> {
  const before = state.status === 'granted' ? state.scopes : []
  if (state.status === 'granted' && state.authorizedAt === now && covers(before, scopes)) return accept()
  const data = { accountId, applicationId, scopes: joined(before, scopes), authorizedAt: now }
  return accept({ type: 'ApplicationAuthorized', data })
}

/** Refused with UNKNOWN_APPLICATION where the account has revoked since it consented. */
function issue(state: OAuth2AuthorizationState, command: IssueTokens): Decision<OAuth2AuthorizationEvent> {
  if (state.status !== 'granted' || !covers(state.scopes, command.scopes)) return refuse('UNKNOWN_APPLICATION')
  if (hasToken(state, command.refreshTokenHash)) return accept()
  const { type: _, now, ...pair } = command
  return accept({ type: 'OAuth2TokensIssued', data: issuance(state, { ...pair, issuedAt: now }) })
}

/** Rotation: the presented token serves once. Refused with INVALID_TOKEN where it lives no more. */
function refresh(state: OAuth2AuthorizationState, command: RefreshTokens): Decision<OAuth2AuthorizationEvent> {
  const { type: _, now, presentedTokenHash, ...pair } = command
  if (state.status !== 'granted') return refuse('INVALID_TOKEN')
  if (hasToken(state, command.refreshTokenHash)) return accept()
  const presented = state.refreshTokens.find(({ hash }) => hash === presentedTokenHash)
  if (!presented || isExpired(presented, now)) return refuse('INVALID_TOKEN')
  const remaining = { ...state, refreshTokens: state.refreshTokens.filter((token) => token !== presented) }
  const issued = issuance(remaining, { ...pair, scopes: presented.scopes, issuedAt: now })
  return accept({ type: 'OAuth2TokensRefreshed', data: { ...issued, presentedTokenHash } })
}

function revoke(state: OAuth2AuthorizationState, { by, now }: RevokeAuthorization): Decision<OAuth2AuthorizationEvent> {
  if (state.status !== 'granted') return accept()
  const { accountId, applicationId } = state
  return accept({ type: 'AuthorizationRevoked', data: { accountId, applicationId, by, revokedAt: now } })
}

/** A pair that comes to those that live, and the tokens that make room for it. */
function issuance(state: OAuth2Authorization, pair: TokenPair): OAuth2TokensIssued {
  const { accountId, applicationId, accessTokens, refreshTokens } = state
  const endedTokenHashes = [accessTokens, refreshTokens].flatMap((tokens) => endedOf(tokens, pair.issuedAt))
  return { accountId, applicationId, ...pair, endedTokenHashes }
}

/** Those that have expired, and the oldest of the rest where one more would be too many. */
function endedOf(tokens: readonly LiveToken[], now: Timestamp): readonly string[] {
  const expired = tokens.filter((token) => isExpired(token, now))
  const rest = tokens.filter((token) => !expired.includes(token))
  return [...expired, ...rest.slice(0, Math.max(0, rest.length + 1 - liveTokens_max))].map(({ hash }) => hash)
}

function hasToken({ refreshTokens }: OAuth2Authorization, refreshTokenHash: string): boolean {
  return refreshTokens.some(({ hash }) => hash === refreshTokenHash)
}

function isExpired({ expiresAt }: LiveToken, now: Timestamp): boolean {
  return msOf(now) >= msOf(expiresAt)
}

function evolve(state: OAuth2AuthorizationState, { type, data }: OAuth2AuthorizationEvent): OAuth2AuthorizationState {
  switch (type) {
    case 'ApplicationAuthorized': {
      const tokens = state.status === 'granted' ? state : { accessTokens: [], refreshTokens: [] }
      const { accessTokens, refreshTokens } = tokens
      return { status: 'granted', ...data, accessTokens, refreshTokens }
    }
    case 'OAuth2TokensIssued':
      return state.status === 'granted' ? withPair(state, data, data.endedTokenHashes) : state
    case 'OAuth2TokensRefreshed':
      return state.status === 'granted'
        ? withPair(state, data, [...data.endedTokenHashes, data.presentedTokenHash])
        : state
    case 'AuthorizationRevoked':
      return { status: 'revoked' }
  }
}

function withPair(
  state: OAuth2Authorization,
  { scopes, accessTokenHash, accessExpiresAt, refreshTokenHash, refreshExpiresAt }: TokenPair,
  ended: readonly string[],
): OAuth2AuthorizationState {
  const live = (tokens: readonly LiveToken[]): readonly LiveToken[] =>
    tokens.filter(({ hash }) => !ended.includes(hash))
  return {
    status: 'granted',
    ...state,
    accessTokens: [...live(state.accessTokens), { hash: accessTokenHash, scopes, expiresAt: accessExpiresAt }],
    refreshTokens: [...live(state.refreshTokens), { hash: refreshTokenHash, scopes, expiresAt: refreshExpiresAt }],
  }
}
