import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applicationId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { oauth2Projection } from '../../projections/oauth2/projector.ts'
import { oauth2Queries } from '../../projections/oauth2/queries.ts'
import { account } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const at = timestamp(Date.UTC(2026, 4, 1, 12))
const later = timestamp(Date.UTC(2026, 4, 2, 12))
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const queries = () => oauth2Queries(the.database)

beforeAll(async () => {
  the = await world()
  projector = await the.projector([oauth2Projection])
})
afterAll(() => the.close())
beforeEach(async () => {
  await the.rows('delete from oauth2.tokens')
  await the.rows('delete from oauth2.authorizations')
})

/** An account as it is, under a number of its delegations. */
const now = (who: number, delegationVersion = 0) => ({ id: account(who), delegationVersion })
const application = (number: number) => applicationId(snowflake(`5${number}`))
const parties = (who: number, what: number) => ({ accountId: account(who), applicationId: application(what) })
const authorized = (who: number, what: number): AnyEvent => ({
  type: 'ApplicationAuthorized',
  data: { ...parties(who, what), scopes: ['identify', 'email'], authorizedAt: at },
})
const pair = (name: string) => ({
  scopes: ['identify'] as const,
  accessTokenHash: `access ${name}`,
  accessExpiresAt: later,
  refreshTokenHash: `refresh ${name}`,
  refreshExpiresAt: later,
  issuedAt: at,
})
const issued = (who: number, what: number, name: string, endedTokenHashes: readonly string[] = []): AnyEvent => ({
  type: 'OAuth2TokensIssued',
  data: { ...parties(who, what), ...pair(name), endedTokenHashes },
})
const refreshed = (who: number, what: number, presented: string, name: string): AnyEvent => ({
  type: 'OAuth2TokensRefreshed',
  data: { ...parties(who, what), ...pair(name), endedTokenHashes: [], presentedTokenHash: `refresh ${presented}` },
})

/** The pairs of tokens that exist, each by its kinds. */
async function alive(...names: readonly string[]): Promise<readonly string[]> {
  const hashes = names.flatMap((name) => [`access ${name}`, `refresh ${name}`])
  const found = await Promise.all(hashes.map((hash) => queries().token(hash)))
  return hashes.filter((_, index) => found[index])
}

describe('a token', () => {
  it('is found by its hash, with all that it permits', async () => {
    await happens(authorized(1, 1), issued(1, 1, 'a'))
    const terms = { scopes: ['identify'], issuedAt: at, expiresAt: later, delegationVersion: 0 }
    const common = { ...parties(1, 1), sessionHash: null, ...terms }
    expect(await queries().token('access a')).toStrictEqual({ kind: 'access', ...common })
    expect(await queries().token('refresh a')).toStrictEqual({ kind: 'refresh', ...common })
    expect(await queries().token('access b')).toBeUndefined()
  })

  it('names the session that it ends with', async () => {
    const data = { ...parties(1, 1), ...pair('a'), sessionHash: 'phone', endedTokenHashes: [] }
    await happens(authorized(1, 1), { type: 'OAuth2TokensIssued', data })
    for (const token of ['access a', 'refresh a'])
      expect(await queries().token(token)).toMatchObject({ sessionHash: 'phone' })
  })

  it('is gone when it was used, or made room for another', async () => {
    await happens(authorized(1, 1), issued(1, 1, 'a'), refreshed(1, 1, 'a', 'b'), issued(1, 1, 'c', ['access a']))
    expect(await alive('a', 'b', 'c')).toStrictEqual(['access b', 'refresh b', 'access c', 'refresh c'])
  })

  it('ends with its own authorisation, and with no other one', async () => {
    await happens(authorized(1, 1), authorized(1, 2), authorized(2, 1))
    await happens(issued(1, 1, 'a'), issued(1, 2, 'b'), issued(2, 1, 'c'))
    await happens({ type: 'AuthorizationRevoked', data: { ...parties(1, 1), by: 'account', revokedAt: at } })
    expect(await alive('a', 'b', 'c')).toStrictEqual(['access b', 'refresh b', 'access c', 'refresh c'])
    expect(await queries().authorization(now(1), application(1))).toBeUndefined()
    expect(await queries().authorizationsOf(now(1))).toStrictEqual([
      { applicationId: application(2), scopes: ['identify', 'email'], authorizedAt: at },
    ])
  })

  it('ends when an administrator schedules the deletion of its account, and when that is cancelled; consents stay', async () => {
    const deletion = { dueAt: later, reasonCode: 2, publicReason: null, auditLogReason: null }
    await happens(authorized(1, 1), authorized(2, 1), issued(1, 1, 'a'), issued(2, 1, 'b'))
    await happens({
      type: 'AccountDeletionScheduled',
      data: { accountId: account(1), ...deletion, scheduledBy: account(2), scheduledAt: at },
    })
    expect(await alive('a', 'b')).toStrictEqual(['access b', 'refresh b'])
    // Issued by a request that began before.
    await happens(issued(1, 1, 'c'), { type: 'AccountDeletionCancelled', data: { accountId: account(1) } })
    expect(await alive('b', 'c')).toStrictEqual(['access b', 'refresh b'])
    expect(await queries().authorizationsOf(now(1))).toHaveLength(1)
  })

  it('ends with the delegations of its account, and what is authorised late under their earlier number is void', async () => {
    await happens(authorized(1, 1), authorized(2, 1), issued(1, 1, 'a'), issued(2, 1, 'b'))
    await happens({ type: 'DelegationsEnded', data: { accountId: account(1), version: 1, endedAt: later } })
    expect(await alive('a', 'b')).toStrictEqual(['access b', 'refresh b'])
    await happens(authorized(1, 1), issued(1, 1, 'c'))
    expect(await queries().authorization(now(1, 1), application(1))).toBeUndefined()
    expect(await queries().authorizationsOf(now(1, 1))).toStrictEqual([])
    expect(await queries().token('access c')).toMatchObject({ delegationVersion: 0 })
    expect(await queries().authorizationsOf(now(2))).toHaveLength(1)
  })

  it('ends with its application, and with its account', async () => {
    await happens(authorized(1, 1), authorized(1, 2), authorized(2, 1), authorized(2, 2))
    await happens(issued(1, 1, 'a'), issued(1, 2, 'b'), issued(2, 1, 'c'), issued(2, 2, 'd'))
    await happens({
      type: 'ApplicationDeleted',
      data: { applicationId: application(1), ownerId: account(9), revokedTokenHash: 'bot', deletedAt: at },
    })
    expect(await alive('a', 'b', 'c', 'd')).toStrictEqual(['access b', 'refresh b', 'access d', 'refresh d'])
    await happens({
      type: 'AccountErasureStarted',
      data: { accountId: account(1), username: 'ada', addressHash: null, identityHashes: [], startedAt: at },
    })
    expect(await alive('a', 'b', 'c', 'd')).toStrictEqual(['access d', 'refresh d'])
    expect(await queries().authorizationsOf(now(1))).toStrictEqual([])
    expect(await queries().authorizationsOf(now(2))).toHaveLength(1)
  })
})
