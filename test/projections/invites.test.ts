import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteCode } from '../../domain/ids/ids.js'
import type { InviteTerms } from '../../domain/invite/events.js'
import { invitesProjection } from '../../projections/invites/projector.js'
import { inviteQueries } from '../../projections/invites/queries.js'
import {
  account,
  after,
  channel,
  deleted,
  guild,
  invited,
  redeemed,
  returned,
  start,
  terms,
  uninvited,
} from './support/people.js'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.js'

let the: World
let projector: TestProjector
const queries = () => inviteQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([invitesProjection])
})

afterAll(() => the.close())

describe('an invite', () => {
  it('is found as it was made, by its exact code', async () => {
    const offer = terms('AbC', { maxUses: 5, maxAge: 3600, temporary: true })
    await happens(invited(offer))
    expect(await queries().find(offer.code, start)).toStrictEqual({ ...offer, uses: 0, expiresAt: after(3600) })
    expect(await queries().find(inviteCode('abc'), start)).toBe(undefined)
  })

  it('is found until it expires, and not at that very moment', async () => {
    const offer = terms('expiring', { maxAge: 60 })
    await happens(invited(offer))
    expect((await queries().find(offer.code, after(59)))?.expiresAt).toBe(after(60))
    expect(await queries().find(offer.code, after(60))).toBe(undefined)
  })

  it('is found without an end where its age has none', async () => {
    const offer = terms('endless')
    await happens(invited(offer))
    expect((await queries().find(offer.code, after(10 ** 9)))?.expiresAt).toBe(null)
  })

  it('is found until it is used up, and again when a use comes back', async () => {
    const offer = terms('limited', { maxUses: 2 })
    await happens(invited(offer), redeemed(offer, 'r1', 1))
    expect((await queries().find(offer.code, start))?.uses).toBe(1)
    await happens(redeemed(offer, 'r2', 2))
    expect(await queries().find(offer.code, start)).toBe(undefined)
    await happens(returned(offer, 'r2', 1))
    expect((await queries().find(offer.code, start))?.uses).toBe(1)
  })

  it('is not found once it is deleted, or its guild', async () => {
    const one = terms('deleted')
    const other = terms('homeless', { guildId: guild(9) })
    await happens(invited(one), invited(other), uninvited(one), deleted(9))
    expect(await queries().find(one.code, start)).toBe(undefined)
    expect(await queries().find(other.code, start)).toBe(undefined)
  })
})

describe('the invites', () => {
  const of = (code: string, seconds: number, more: Partial<InviteTerms> = {}) =>
    terms(code, { guildId: guild(2), channelId: channel(21), createdAt: after(seconds), ...more })
  const codes = (found: readonly { readonly code: string }[]): readonly string[] => found.map(({ code }) => code)

  beforeAll(async () => {
    const used = of('used', 3, { maxUses: 1 })
    await happens(
      invited(of('first', 1)),
      invited(of('same-b', 2)),
      invited(of('same-a', 2)),
      invited(of('elsewhere', 4, { channelId: channel(22) })),
      invited(of('old', 5, { maxAge: 60 })),
      invited(used),
      redeemed(used, 'r', 1),
    )
  })

  it('of a channel and of a guild come newest first, those that still admit somebody', async () => {
    expect(codes(await queries().ofChannel(channel(21), after(10)))).toStrictEqual(['old', 'same-a', 'same-b', 'first'])
    expect(codes(await queries().ofChannel(channel(21), after(65)))).toStrictEqual(['same-a', 'same-b', 'first'])
    expect(codes(await queries().ofGuild(guild(2), after(65)))).toStrictEqual([
      'elsewhere',
      'same-a',
      'same-b',
      'first',
    ])
    expect(await queries().ofGuild(guild(3), start)).toStrictEqual([])
  })

  it('of a guild are counted likewise', async () => {
    expect(await queries().countOf(guild(2), after(10))).toBe(5)
    expect(await queries().countOf(guild(2), after(65))).toBe(4)
    expect(await queries().countOf(guild(3), start)).toBe(0)
  })

  it('have an equivalent where all terms are the same: the newest', async () => {
    const wanted = of('wanted', 0, { inviterId: account(7), maxUses: 1, maxAge: 60, temporary: true })
    const made = { ...wanted, code: inviteCode('made') }
    await happens(invited(made), invited({ ...made, code: inviteCode('newer'), createdAt: after(1) }))
    expect((await queries().equivalent(wanted, after(5)))?.code).toBe('newer')
    expect(await queries().equivalent(wanted, after(61))).toBe(undefined)
    const others = [
      { inviterId: account(8) },
      { channelId: channel(22) },
      { maxUses: 2 },
      { maxAge: 0 },
      { temporary: false },
    ]
    for (const other of others) expect(await queries().equivalent({ ...wanted, ...other }, after(5))).toBe(undefined)
  })
})
