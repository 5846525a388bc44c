import { isGivenSince, underVersion } from '../delegations/delegation-version.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { hasEnded, secondsAfter, type Timestamp } from '../kernel/timestamp.ts'
import type {
  AuthorizeApplication,
  EndTokenFamily,
  IssueTokens,
  OAuth2AuthorizationCommand,
  PresentedToken,
  RefreshTokens,
  RevokeAuthorization,
} from './commands.ts'
import {
  oauth2AuthorizationEvents,
  type OAuth2AuthorizationEvent,
  type OAuth2TokensIssued,
  type OAuth2TokensRefreshed,
  type TokenFamilyEnded,
  type TokenPair,
} from './events.ts'
import { covers, joined } from './scopes.ts'
import {
  endedFamilies_max,
  liveTokens_max,
  repeatedUse_s,
  usedTokens_max,
  type LiveToken,
  type OAuth2Authorization,
  type OAuth2AuthorizationState,
  type UsedToken,
} from './state.ts'

/**
 * What an account has authorised an application to do, and its live tokens. Their single stream makes sure that a
 * refresh token works only once. See rules/applications#tokens.
 */
export const oauth2Authorization = aggregate({
  category: 'oauth2_authorization',
  identifiedBy: 'account id and application id',
  guards: 'consented scopes, live tokens (at most 50 of each kind), and rotation of refresh tokens',
  stateVersion: 5,
  events: oauth2AuthorizationEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

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
    case 'EndTokenFamily':
      return endFamily(state, command)
    case 'RevokeAuthorization':
      return revoke(state, command)
  }
}

/** Each consent adds to earlier ones that are not void. Refuses with UNAUTHORIZED as `isGivenSince`. */
function authorize(state: OAuth2AuthorizationState, command: AuthorizeApplication): Decision<OAuth2AuthorizationEvent> {
  if (state.status === 'granted' && isGivenSince(state, command)) return refuse('UNAUTHORIZED')
  const { accountId, applicationId, scopes, delegationVersion, now } = command
  const isGranted = holds(state, delegationVersion)
  const before = isGranted ? state.scopes : []
  if (isGranted && state.authorizedAt === now && covers(before, scopes)) return accept()
  const data = { accountId, applicationId, scopes: joined(before, scopes), authorizedAt: now }
  return accept({ type: 'ApplicationAuthorized', data: { ...data, ...underVersion(command) } })
}

/** Whether the account has authorised the application, and has not ended its delegations since. */
function holds(
  state: OAuth2AuthorizationState,
  delegationVersion: number,
): state is Extract<OAuth2AuthorizationState, { readonly status: 'granted' }> {
  return state.status === 'granted' && state.delegationVersion === delegationVersion
}

/**
 * Refuses with UNKNOWN_APPLICATION if the account has revoked the authorisation since the consent or ended all, or the code was used
 * a second time meanwhile.
 */
function issue(state: OAuth2AuthorizationState, command: IssueTokens): Decision<OAuth2AuthorizationEvent> {
  if (!holds(state, command.delegationVersion) || !covers(state.scopes, command.scopes))
    return refuse('UNKNOWN_APPLICATION')
  if (hasToken(state, command.refreshTokenHash)) return accept()
  if (isEnded(state, command.familyHash)) return refuse('UNKNOWN_APPLICATION')
  const { type: _, now, delegationVersion: __, ...pair } = command
  return accept({ type: 'OAuth2TokensIssued', data: issuance(state, { ...pair, issuedAt: now }) })
}

/** Rotation: the presented token works once. Refuses with INVALID_TOKEN if it is no longer live, and no repeat that gets tokens. */
function refresh(state: OAuth2AuthorizationState, command: RefreshTokens): Decision<OAuth2AuthorizationEvent> {
  const { type: _, now, presented, delegationVersion, givesToRepeats: __, ...pair } = command
  if (!holds(state, delegationVersion)) return refuse('INVALID_TOKEN')
  if (hasToken(state, command.refreshTokenHash)) return accept()
  const token = refreshedToken(state, command)
  if (!token || isExpired(token, now)) return refuse('INVALID_TOKEN')
  const { scopes } = token
  const remaining = { ...state, refreshTokens: state.refreshTokens.filter(({ hash }) => hash !== presented.hash) }
  const issued = issuance(remaining, { ...pair, scopes, ...ofSession(token), issuedAt: now })
  const data = { ...issued, presentedTokenHash: presented.hash, addressHash: presented.addressHash }
  return accept({ type: 'OAuth2TokensRefreshed', data })
}

/** The live token that is presented. For a repeat that gets tokens it is the newest one of the family, which the first use gave. */
function refreshedToken(state: OAuth2Authorization, command: RefreshTokens): LiveToken | undefined {
  const { presented, familyHash, givesToRepeats, now } = command
  const live = state.refreshTokens.find(({ hash }) => hash === presented.hash)
  if (live || !givesToRepeats || !isRepeated(state, presented, now)) return live
  return state.refreshTokens.findLast((token) => token.familyHash === familyHash)
}

/**
 * Ends the tokens that came from a code, also through refresh tokens, and issues no more for it. Two presented refresh tokens end
 * nothing: an unused one, which has only expired, and one that its own client repeats. RFC 6749, 4.1.2; RFC 9700, 4.14.2.
 */
function endFamily(
  state: OAuth2AuthorizationState,
  { familyHash, presented, now }: EndTokenFamily,
): Decision<OAuth2AuthorizationEvent> {
  if (state.status !== 'granted' || isEnded(state, familyHash)) return accept()
  if (presented !== null && (hasToken(state, presented.hash) || isRepeated(state, presented, now))) return accept()
  const { accountId, applicationId, accessTokens, refreshTokens } = state
  const family = [...accessTokens, ...refreshTokens].filter((token) => token.familyHash === familyHash)
  if (presented !== null && family.length === 0) return accept()
  const endedTokenHashes = family.map(({ hash }) => hash)
  return accept({
    type: 'TokenFamilyEnded',
    data: { accountId, applicationId, familyHash, endedTokenHashes, endedAt: now },
  })
}

function revoke(state: OAuth2AuthorizationState, { by, now }: RevokeAuthorization): Decision<OAuth2AuthorizationEvent> {
  if (state.status !== 'granted') return accept()
  const { accountId, applicationId } = state
  return accept({ type: 'AuthorizationRevoked', data: { accountId, applicationId, by, revokedAt: now } })
}

/** A pair that comes to those that live, and the tokens that make way for it. */
function issuance(state: OAuth2Authorization, pair: TokenPair): OAuth2TokensIssued {
  const { accountId, applicationId, accessTokens, refreshTokens } = state
  const endedTokenHashes = [accessTokens, refreshTokens].flatMap((tokens) => endedOf(tokens, pair.issuedAt))
  return { accountId, applicationId, ...pair, endedTokenHashes, ...underVersion(state) }
}

/** The expired tokens, and the oldest of the rest if one more would be too many. */
function endedOf(tokens: readonly LiveToken[], now: Timestamp): readonly string[] {
  const expired = tokens.filter((token) => isExpired(token, now))
  const rest = tokens.filter((token) => !expired.includes(token))
  return [...expired, ...rest.slice(0, Math.max(0, rest.length + 1 - liveTokens_max))].map(({ hash }) => hash)
}

function hasToken({ refreshTokens }: OAuth2Authorization, refreshTokenHash: string): boolean {
  return refreshTokens.some(({ hash }) => hash === refreshTokenHash)
}

function isEnded({ endedFamilies }: OAuth2Authorization, familyHash: string | undefined): boolean {
  return familyHash !== undefined && endedFamilies.includes(familyHash)
}

/** Whether a used refresh token comes again so soon, from where it came before, that its client has sent it twice. */
function isRepeated({ usedTokens }: OAuth2Authorization, presented: PresentedToken, now: Timestamp): boolean {
  const used = usedTokens.find(({ hash }) => hash === presented.hash)
  return used?.addressHash === presented.addressHash && isRecent(used, now)
}

function isRecent({ usedAt }: UsedToken, now: Timestamp): boolean {
  return !hasEnded(secondsAfter(usedAt, repeatedUse_s), now)
}

function isExpired({ expiresAt }: LiveToken, now: Timestamp): boolean {
  return hasEnded(expiresAt, now)
}

function evolve(state: OAuth2AuthorizationState, { type, data }: OAuth2AuthorizationEvent): OAuth2AuthorizationState {
  switch (type) {
    case 'ApplicationAuthorized': {
      const { delegationVersion = 0 } = data
      const tokens = holds(state, delegationVersion) ? state : noTokens
      const { accessTokens, refreshTokens, endedFamilies, usedTokens } = tokens
      return { status: 'granted', ...data, delegationVersion, accessTokens, refreshTokens, endedFamilies, usedTokens }
    }
    case 'OAuth2TokensIssued':
      return state.status === 'granted' ? withPair(state, data, data.endedTokenHashes) : state
    case 'OAuth2TokensRefreshed':
      return state.status === 'granted' ? withRefreshed(state, data) : state
    case 'TokenFamilyEnded':
      return state.status === 'granted' ? withoutFamily(state, data) : state
    case 'AuthorizationRevoked':
      return { status: 'revoked' }
  }
}

const noTokens = { accessTokens: [], refreshTokens: [], endedFamilies: [], usedTokens: [] }

type Granted = Extract<OAuth2AuthorizationState, { readonly status: 'granted' }>

function withRefreshed(state: OAuth2Authorization, data: OAuth2TokensRefreshed): Granted {
  const { endedTokenHashes, presentedTokenHash: hash, addressHash, issuedAt: usedAt } = data
  // A repeat does not put off the end of the time in which repeats count.
  const isRepeat = !hasToken(state, hash)
  const remembered = state.usedTokens.filter((used) => (isRepeat || used.hash !== hash) && isRecent(used, usedAt))
  const used = addressHash === undefined || isRepeat ? [] : [{ hash, addressHash, usedAt }]
  return {
    ...withPair(state, data, [...endedTokenHashes, hash]),
    usedTokens: [...remembered, ...used].slice(-usedTokens_max),
  }
}

function withPair(state: OAuth2Authorization, pair: TokenPair, ended: readonly string[]): Granted {
  const { scopes, familyHash, accessTokenHash, accessExpiresAt, refreshTokenHash, refreshExpiresAt } = pair
  const common = { scopes, ...(familyHash === undefined ? {} : { familyHash }), ...ofSession(pair) }
  return {
    status: 'granted',
    ...state,
    accessTokens: [
      ...without(state.accessTokens, ended),
      { ...common, hash: accessTokenHash, expiresAt: accessExpiresAt },
    ],
    refreshTokens: [
      ...without(state.refreshTokens, ended),
      { ...common, hash: refreshTokenHash, expiresAt: refreshExpiresAt },
    ],
  }
}

function ofSession({ sessionHash }: Pick<LiveToken, 'sessionHash'>): Pick<LiveToken, 'sessionHash'> {
  return sessionHash === undefined ? {} : { sessionHash }
}

function withoutFamily(
  state: OAuth2Authorization,
  { familyHash, endedTokenHashes }: TokenFamilyEnded,
): OAuth2AuthorizationState {
  return {
    status: 'granted',
    ...state,
    accessTokens: without(state.accessTokens, endedTokenHashes),
    refreshTokens: without(state.refreshTokens, endedTokenHashes),
    endedFamilies: [...state.endedFamilies, familyHash].slice(-endedFamilies_max),
  }
}

function without(tokens: readonly LiveToken[], ended: readonly string[]): readonly LiveToken[] {
  return tokens.filter(({ hash }) => !ended.includes(hash))
}
