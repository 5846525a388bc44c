import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkBanned } from '../../domain/network-ban/events.ts'
import { networkBansProjection } from '../../projections/network-bans/projector.ts'
import { networkBanQueries } from '../../projections/network-bans/queries.ts'
import { account, after, start } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => networkBanQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([networkBansProjection])
})
afterAll(() => the.close())

const banned = (network: string, more: Partial<NetworkBanned> = {}): AnyEvent => ({
  type: 'NetworkBanned',
  data: { network, cause: 'operator', reason: null, bannedAt: start, expiresAt: null, ...more },
})
const lifted = (network: string): AnyEvent => ({ type: 'NetworkBanLifted', data: { network, liftedAt: after(1) } })
const holding = async (now = start, limit = 10): Promise<readonly string[]> =>
  (await queries().holding(now, limit)).map(({ network }) => network)

describe('the bans of networks', () => {
  it('have a count of changes, which begins at zero', async () => {
    expect(await queries().changes()).toBe(0)
    await happens(banned('a'), banned('b'), lifted('a'))
    expect(await queries().changes()).toBe(3)
    expect(await holding()).toStrictEqual(['b'])
    await happens(lifted('b'))
  })

  it('are found as they were made, with the account that made them', async () => {
    const facts = { cause: 'failures', reason: 'spam', bannedAt: after(5), expiresAt: after(60) } as const
    await projector.reached(
      await the.happensWith({ actor: { kind: 'account', id: account(7) } }, banned('203.0.113.7/32', facts)),
    )
    expect(await queries().holding(start, 10)).toStrictEqual([
      { network: '203.0.113.7/32', ...facts, bannedBy: account(7) },
    ])
    await happens(banned('203.0.113.7/32'))
    expect(await queries().holding(start, 10)).toMatchObject([{ cause: 'operator', reason: null, bannedBy: null }])
    await happens(lifted('203.0.113.7/32'))
  })

  it('are found until they end, first those without an end and then the newest', async () => {
    await happens(
      banned('old', { bannedAt: after(1), expiresAt: after(90) }),
      banned('new', { bannedAt: after(2), expiresAt: after(60) }),
      banned('for good'),
    )
    expect(await holding()).toStrictEqual(['for good', 'new', 'old'])
    expect(await holding(start, 2)).toStrictEqual(['for good', 'new'])
    expect(await holding(after(59.999))).toStrictEqual(['for good', 'new', 'old'])
    expect(await holding(after(60))).toStrictEqual(['for good', 'old'])
  })
})
