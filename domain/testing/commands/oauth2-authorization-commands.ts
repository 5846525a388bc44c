import fc from 'fast-check'
import { secondsAfter } from '../../kernel/timestamp.ts'
import type { OAuth2AuthorizationCommand } from '../../oauth2-authorization/commands.ts'
import { scopes } from '../../oauth2-authorization/scopes.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, engine } from '../people.ts'

/** Few refresh tokens, so that used ones come again. They live as long as a history. */
export const oauth2AuthorizationCommands: fc.Arbitrary<OAuth2AuthorizationCommand> = fc.oneof(
  {
    weight: 2,
    arbitrary: record({
      type: oneOf('AuthorizeApplication'),
      accountId: oneOf(ada),
      applicationId: oneOf(engine),
      scopes: someScopes(),
      delegationVersion: versions(),
      now: instants,
    }),
  },
  { weight: 4, arbitrary: record({ type: oneOf('IssueTokens'), scopes: someScopes(), ...pairs(), now: instants }) },
  {
    weight: 6,
    arbitrary: record({
      type: oneOf('RefreshTokens'),
      presented: presentedTokens(),
      ...pairs(),
      now: instants,
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      type: oneOf('EndTokenFamily'),
      familyHash: families(),
      presented: fc.oneof(presentedTokens(), oneOf(null)),
      now: instants,
    }),
  },
  {
    weight: 1,
    arbitrary: record({ type: oneOf('RevokeAuthorization'), by: oneOf('account', 'application'), now: instants }),
  },
)

function pairs() {
  const later = instants.map((instant) => secondsAfter(instant, 600))
  return {
    familyHash: families(),
    accessTokenHash: fc.integer({ min: 1, max: 200 }).map((number) => `access-${number}`),
    accessExpiresAt: later,
    refreshTokenHash: refreshTokens(),
    refreshExpiresAt: later,
    delegationVersion: versions(),
  }
}

/** Mostly the first, so that histories are not all refusals. */
function versions(): fc.Arbitrary<number> {
  return oneOf(0, 0, 0, 1)
}

function families(): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 5 }).map((number) => `family-${number}`)
}

function refreshTokens(): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 8 }).map((number) => `refresh-${number}`)
}

function presentedTokens() {
  return record({ hash: refreshTokens(), addressHash: oneOf('here', 'there') })
}

function someScopes() {
  return fc.subarray([...scopes], { minLength: 1 })
}
