import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guildsProjection } from '../../projections/guilds/projector.js'
import { membersProjection } from '../../projections/members/projector.js'
import { memberQueries } from '../../projections/members/queries.js'
import { account, after, created, deleted, guild, joined, left, role } from './support/people.js'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.js'

let the: World
let projector: TestProjector
const queries = () => memberQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([guildsProjection, membersProjection])
})

afterAll(() => the.close())

describe('a member', () => {
  it('is found with roles, from joining to leaving', async () => {
    await happens(created(1), joined(1, 2, { seconds: 7 }))
    const member = { guildId: guild(1), accountId: account(2), joinedAt: after(7), temporary: false, roles: [] }
    expect(await queries().find(guild(1), account(2))).toStrictEqual(member)
    await happens({ type: 'MemberRolesChanged', data: { guildId: guild(1), accountId: account(2), roles: [role(1)] } })
    expect(await queries().find(guild(1), account(2))).toStrictEqual({ ...member, roles: [role(1)] })
    await happens(left(1, 2))
    expect(await queries().find(guild(1), account(2))).toBe(undefined)
  })

  it('starts without roles when joining again', async () => {
    await happens(created(2), joined(2, 2))
    await happens({ type: 'MemberRolesChanged', data: { guildId: guild(2), accountId: account(2), roles: [role(1)] } })
    await happens(left(2, 2), joined(2, 2))
    expect((await queries().find(guild(2), account(2)))?.roles).toStrictEqual([])
  })

  it('is none any more once banned', async () => {
    const ban = { moderatorId: account(1), wasMember: true, reason: null, bannedAt: after(1), expiresAt: null }
    await happens(created(3), joined(3, 1), joined(3, 2))
    await happens({ type: 'MemberBanned', data: { guildId: guild(3), accountId: account(2), ...ban } })
    expect(await queries().find(guild(3), account(2))).toBe(undefined)
    expect(await queries().countOf(guild(3))).toBe(1)
  })

  it('is not counted out when a stranger is banned', async () => {
    const ban = { moderatorId: account(1), wasMember: false, reason: null, bannedAt: after(1), expiresAt: null }
    await happens(created(33), joined(33, 1))
    await happens({ type: 'MemberBanned', data: { guildId: guild(33), accountId: account(2), ...ban } })
    expect(await queries().countOf(guild(33))).toBe(1)
  })
})

describe('members', () => {
  it('are counted', async () => {
    await happens(created(4), joined(4, 1), joined(4, 2), joined(4, 3), left(4, 2), joined(4, 2), left(4, 3))
    expect(await queries().countOf(guild(4))).toBe(2)
    expect(await queries().countOf(guild(99))).toBe(0)
  })

  it('are gone with their guild, also those who joined too late', async () => {
    await happens(created(5), joined(5, 1), joined(5, 8), deleted(5), joined(5, 9))
    expect(await queries().countOf(guild(5))).toBe(0)
    for (const number of [8, 9]) {
      expect(await queries().find(guild(5), account(number))).toBe(undefined)
      expect(await queries().guildCountOf(account(number))).toBe(0)
      expect(await queries().ofAccount(account(number))).toStrictEqual([])
    }
  })

  it('share the guilds that exist, by their ids, with their counts', async () => {
    await happens(created(41), created(42), created(43), created(44), joined(43, 61), joined(41, 61), joined(44, 61))
    await happens(joined(41, 60), joined(42, 60), joined(43, 60), joined(43, 62), joined(44, 60), deleted(44))
    expect(await queries().sharedGuilds(account(60), account(61))).toStrictEqual([
      { guildId: guild(41), memberCount: 2 },
      { guildId: guild(43), memberCount: 3 },
    ])
    expect(await queries().sharedGuilds(account(60), account(63))).toStrictEqual([])
    expect(await queries().sharedGuilds(account(62), account(62))).toMatchObject([{ guildId: guild(43) }])
  })

  it('have the guild that they joined last first', async () => {
    await happens(created(11), created(12), created(13))
    await happens(joined(12, 20, { seconds: 1 }), joined(13, 20, { seconds: 1 }), joined(11, 20, { seconds: 2 }))
    const memberships = await queries().ofAccount(account(20))
    expect(memberships.map(({ guildId }) => guildId)).toStrictEqual([guild(11), guild(13), guild(12)])
    expect(await queries().guildCountOf(account(20))).toBe(3)
    expect(await queries().guildCountOf(account(21))).toBe(0)
  })
})
