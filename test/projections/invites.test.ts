import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteCode } from '../../domain/ids/ids.ts'
import type { InviteTerms } from '../../domain/invite/events.ts'
import { invitesProjection } from '../../projections/invites/projector.ts'
import { inviteQueries } from '../../projections/invites/queries.ts'
import {
  account,
  after,
  channel,
  deleted,
  guild,
  invited,
  joined,
  redeemed,
  returned,
  start,
  terms,
  uninvited,
} from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

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
  it('is found as it was created, by its exact code', async () => {
    const offer = terms('AbC', { maxUses: 5, maxAge: 3600, temporary: true })
    await happens(invited(offer))
    expect(await queries().find(offer.code, start)).toStrictEqual({ ...offer, uses: 0, expiresAt: after(3600) })
    expect(await queries().find(inviteCode('abc'), start)).toBe(undefined)
  })

  it('is found until it expires, and not at that moment', async () => {
    const offer = terms('expiring', { maxAge: 60 })
    await happens(invited(offer))
    expect((await queries().find(offer.code, after(59)))?.expiresAt).toBe(after(60))
    expect(await queries().find(offer.code, after(60))).toBe(undefined)
  })

  it('is found forever if it has no maximum age', async () => {
    const offer = terms('endless')
    await happens(invited(offer))
    expect((await queries().find(offer.code, after(10 ** 9)))?.expiresAt).toBe(null)
  })

  it('is found until it is used up, and again when a use is returned', async () => {
    const offer = terms('limited', { maxUses: 2 })
    await happens(invited(offer), redeemed(offer, 'r1', 1))
    expect((await queries().find(offer.code, start))?.uses).toBe(1)
    await happens(redeemed(offer, 'r2', 2))
    expect(await queries().find(offer.code, start)).toBe(undefined)
    await happens(returned(offer, 'r2', 1))
    expect((await queries().find(offer.code, start))?.uses).toBe(1)
  })

  it('is not found once it is deleted, but still is if only its guild is gone', async () => {
    const one = terms('deleted')
    const other = terms('homeless', { guildId: guild(9) })
    await happens(invited(one), invited(other), uninvited(one), deleted(9))
    expect(await queries().find(one.code, start)).toBe(undefined)
    expect(await queries().find(other.code, start)).toMatchObject({ guildId: guild(9) })
  })

  it('has a code that is given in any case', async () => {
    await happens(invited(terms('MiXed')))
    expect(await queries().isGivenInAnyCase(inviteCode('mixed'))).toBe(true)
    expect(await queries().isGivenInAnyCase(inviteCode('mixes'))).toBe(false)
  })
})

describe('a custom invite URL', () => {
  const code = inviteCode('the-place')
  const renamed = (before: string | null, after: string | null, claim = 1): AnyEvent => {
    const custom = (text: string | null) => (text === null ? null : { code: inviteCode(text), claim })
    return {
      type: 'VanityCodeChanged',
      data: { guildId: guild(5), before: custom(before), after: custom(after) },
    }
  }

  it('is found by its code while the guild has it, with the admissions since', async () => {
    await happens(renamed(null, code))
    expect(await queries().custom(code)).toStrictEqual({ code, guildId: guild(5), uses: 0 })
    await happens(joined(5, 1), joined(5, 2, { admission: { by: 'founding' } }), joined(5, 3))
    expect(await queries().customOf(guild(5))).toStrictEqual({ code, guildId: guild(5), uses: 2 })
    await happens(renamed(code, code, 2))
    expect((await queries().custom(code))?.uses).toBe(2)
    await happens(renamed(code, 'another'))
    expect(await queries().custom(code)).toBe(undefined)
    expect(await queries().customOf(guild(5))).toMatchObject({ code: 'another', uses: 0 })
  })

  it('counts among the invites of the guild, but is not listed', async () => {
    expect(await queries().countOf(guild(5), start)).toBe(1)
    expect(await queries().ofGuild(guild(5), start)).toStrictEqual([])
    await happens(renamed('another', null), joined(5, 4))
    expect(await queries().countOf(guild(5), start)).toBe(0)
    expect(await queries().customOf(guild(5))).toBe(undefined)
  })
})

describe('an invite to a private channel', () => {
  it('is found, listed and matched apart from those to guilds', async () => {
    const { guildId: _, ...group } = terms('group', { channelId: channel(70), maxUses: 2 })
    const made: AnyEvent = { type: 'GroupInviteCreated', data: { ...group, recipients: [account(1)] } }
    await happens(made)
    const record = { ...group, guildId: null, uses: 0, expiresAt: null }
    expect(await queries().find(group.code, start)).toStrictEqual(record)
    expect(await queries().ofPrivateChannel(channel(70), start)).toStrictEqual([record])
    expect(await queries().ofChannel(channel(70), start)).toStrictEqual([])
    expect(await queries().equivalentInPrivate(group, start)).toStrictEqual(record)
    expect(await queries().equivalent(group, start)).toBe(undefined)
    const redemption = { code: group.code, channelId: channel(70), accountId: account(2), redemptionId: 'r', uses: 2 }
    await happens({ type: 'GroupInviteRedeemed', data: redemption })
    expect(await queries().find(group.code, start)).toBe(undefined)
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

  it('of a channel and of a guild are listed newest first, without those that admit nobody any more', async () => {
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

  it('of a guild are counted in the same way', async () => {
    expect(await queries().countOf(guild(2), after(10))).toBe(5)
    expect(await queries().countOf(guild(2), after(65))).toBe(4)
    expect(await queries().countOf(guild(3), start)).toBe(0)
  })

  it('have an equivalent if all terms are the same: the newest', async () => {
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
