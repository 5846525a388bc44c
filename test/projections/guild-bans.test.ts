import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Newcomer } from '../../application/ports/queries/guild-ban-queries.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { guildBansProjection } from '../../projections/guild-bans/projector.ts'
import { guildBanQueries } from '../../projections/guild-bans/queries.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { guildQueries } from '../../projections/guilds/queries.ts'
import { membersProjection } from '../../projections/members/projector.ts'
import { userSettingsProjection } from '../../projections/user-settings/projector.ts'
import { account, after, banned, banOf, created, deleted, erased, guild, joined, left } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const bans = () => guildBanQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([
    accountsProjection,
    guildsProjection,
    membersProjection,
    guildBansProjection,
    userSettingsProjection,
  ])
})

afterAll(() => the.close())

describe('bans', () => {
  const known = { reason: 'spam', email: 'ada@example.com', ip: '198.51.100.7' }
  const now = after(10)
  const keepsOut = async (place: number, given: Partial<Newcomer> = {}) => {
    const newcomer = { accountId: account(99), email: null, ip: null, ...given }
    const by = await bans().keepingOut(guild(place), newcomer, now)
    const found = await guildQueries(the.database).findForNewcomer(guild(place), newcomer, now)
    if (found) expect(found.keptOutBy).toBe(by)
    return by
  }

  it('keep out by account and address before network, an IPv6 one by its /64', async () => {
    await happens(
      created(61),
      banned(61, 80, known),
      banned(61, 81, { ...known, email: 'grace@example.com', ip: '2001:db8::1' }),
    )
    expect(await keepsOut(61)).toBeUndefined()
    expect(await keepsOut(61, { accountId: account(80) })).toBe('person')
    expect(await keepsOut(61, { email: 'ADA@example.com' })).toBe('person')
    expect(await keepsOut(61, { ip: '198.51.100.7' })).toBe('network')
    expect(await keepsOut(61, { ip: '198.51.100.8' })).toBeUndefined()
    expect(await keepsOut(61, { ip: '2001:db8:0:0:ffff::9' })).toBe('network')
    expect(await keepsOut(61, { ip: '2001:db8:0:1::1' })).toBeUndefined()
    expect(await keepsOut(61, { email: 'ada@example.com', ip: '2001:db8::2' })).toBe('person')
    expect(await keepsOut(62, { accountId: account(80), email: 'ada@example.com' })).toBeUndefined()
  })

  it('do not count for who is a member, whose address may be banned', async () => {
    await happens(created(65), banned(65, 80, known), joined(65, 83))
    const newcomer = { accountId: account(83), email: known.email, ip: known.ip }
    const find = () => guildQueries(the.database).findForNewcomer(guild(65), newcomer, now)
    expect(await find()).toMatchObject({ member: { accountId: account(83) }, memberCount: 1, keptOutBy: undefined })
    await happens(left(65, 83))
    expect(await find()).toMatchObject({ member: undefined, memberCount: 0, keptOutBy: 'person' })
    expect(await bans().ofJoined(guild(65), newcomer, now)).toMatchObject({ keptOutBy: 'person', memberCount: 0 })
  })

  it('end by themselves, and when they are lifted', async () => {
    await happens(
      created(63),
      banned(63, 80, { ...known, expiresAt: now }),
      banned(63, 81, { ...known, expiresAt: after(11) }),
    )
    expect(await keepsOut(63, { accountId: account(80) })).toBeUndefined()
    expect(await keepsOut(63, { accountId: account(81) })).toBe('person')
    expect((await bans().ofGuild(guild(63), now)).map(({ accountId }) => accountId)).toStrictEqual([account(81)])
    const { moderatorId, reason, bannedAt, expiresAt, ip } = banOf(63, 81, known)
    const lifted = { guildId: guild(63), accountId: account(81), moderatorId, reason, bannedAt, expiresAt, ip }
    await happens({ type: 'MemberUnbanned', data: lifted })
    expect(await keepsOut(63, { accountId: account(81), ...known })).toBeUndefined()
    expect(await bans().ofGuild(guild(63), now)).toStrictEqual([])
  })

  it('keep no personal data once the account is erased, and end with the guild', async () => {
    await happens(created(64), banned(64, 82, { email: 'x@example.com', ip: '203.0.113.9' }), erased(82))
    const ban = { moderatorId: account(1), reason: null, bannedAt: after(1), expiresAt: null }
    expect(await bans().ofGuild(guild(64), now)).toStrictEqual([{ guildId: guild(64), accountId: account(82), ...ban }])
    expect(await keepsOut(64, { email: 'x@example.com', ip: '203.0.113.9' })).toBeUndefined()
    await happens(deleted(64))
    expect(await bans().ofGuild(guild(64), now)).toStrictEqual([])
  })
})
