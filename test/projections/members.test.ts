import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inviteCode } from '../../domain/ids/ids.ts'
import type { MemberChanged } from '../../domain/membership/events.ts'
import { initialAttributes } from '../../domain/membership/state.ts'
import { accountSearchProjection } from '../../projections/account-search/projector.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { membersProjection } from '../../projections/members/projector.ts'
import { memberQueries } from '../../projections/members/queries.ts'
import {
  account,
  after,
  banned,
  created,
  deleted,
  erased,
  guild,
  joined,
  left,
  registered,
  role,
  withRole,
  someRole,
} from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => memberQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountsProjection, accountSearchProjection, guildsProjection, membersProjection])
})

afterAll(() => the.close())

const name = (place: number, person: number) => ({ guildId: guild(place), accountId: account(person) })
const changed = (place: number, person: number, changes: Partial<MemberChanged>): AnyEvent => ({
  type: 'MemberChanged',
  data: {
    guildId: guild(place),
    accountId: account(person),
    before: {},
    after: {},
    textsBefore: null,
    textsAfter: null,
    timeoutReason: null,
    ...changes,
  },
})

describe('a member', () => {
  it('is found with roles, from joining to leaving', async () => {
    await happens(created(1), withRole(1, someRole(1, 1)), joined(1, 2, { seconds: 7 }))
    const member = {
      guildId: guild(1),
      accountId: account(2),
      joinedAt: after(7),
      temporary: false,
      roles: [],
      ...initialAttributes,
    }
    expect(await queries().find(guild(1), account(2))).toStrictEqual(member)
    await happens({ type: 'MemberRolesChanged', data: { guildId: guild(1), accountId: account(2), roles: [role(1)] } })
    expect(await queries().find(guild(1), account(2))).toStrictEqual({ ...member, roles: [role(1)] })
    await happens(left(1, 2))
    expect(await queries().find(guild(1), account(2))).toBe(undefined)
  })

  it('is temporary until it gets a role or the guild', async () => {
    const temporary = { temporary: true }
    await happens(
      created(60),
      created(61),
      joined(61, 2, temporary),
      joined(60, 3, temporary),
      joined(60, 2, temporary),
    )
    await happens(joined(60, 4), joined(60, 5, temporary), joined(60, 6, temporary))
    const roles = (person: number, ...held: readonly ReturnType<typeof role>[]): AnyEvent => ({
      type: 'MemberRolesChanged',
      data: { guildId: guild(60), accountId: account(person), roles: held },
    })
    await happens(roles(5, role(1)), roles(5), {
      type: 'OwnershipTransferred',
      data: { guildId: guild(60), from: account(1), to: account(6) },
    })
    const names = [name(60, 2), name(60, 3), name(61, 2)]
    expect(await queries().temporary(10)).toStrictEqual(names)
    expect(await queries().temporary(2)).toStrictEqual(names.slice(0, 2))
    expect(await queries().temporary(2, names[1])).toStrictEqual(names.slice(2))
    expect(await queries().find(guild(60), account(5))).toMatchObject({ temporary: false, roles: [] })
    await happens(deleted(60), left(61, 2))
    expect(await queries().temporary(10)).toStrictEqual([])
  })

  it('starts without roles when joining again', async () => {
    await happens(created(2), joined(2, 2))
    await happens({ type: 'MemberRolesChanged', data: { guildId: guild(2), accountId: account(2), roles: [role(1)] } })
    await happens(left(2, 2), joined(2, 2))
    expect((await queries().find(guild(2), account(2)))?.roles).toStrictEqual([])
  })

  it('ends with a ban', async () => {
    await happens(created(3), joined(3, 1), joined(3, 2))
    await happens(banned(3, 2, { wasMember: true }))
    expect(await queries().find(guild(3), account(2))).toBe(undefined)
    expect(await queries().countOf(guild(3))).toBe(1)
  })

  it('is not subtracted from the count when a stranger is banned', async () => {
    await happens(created(33), joined(33, 1))
    await happens(banned(33, 2))
    expect(await queries().countOf(guild(33))).toBe(1)
  })
})

describe('the data of a member', () => {
  const texts = { nick: 'Countess', bio: null, pronouns: 'she/her' }
  const noTexts = { nick: null, bio: null, pronouns: null }

  it('are found, facts and texts, until the member leaves', async () => {
    await happens(created(51), joined(51, 2))
    const until = after(100)
    await happens(changed(51, 2, { after: { mute: true, communicationDisabledUntil: until, accentColor: 255 } }))
    await happens(changed(51, 2, { textsBefore: noTexts, textsAfter: texts }))
    const said = { ...texts, mute: true, deaf: false, communicationDisabledUntil: until, accentColor: 255 }
    expect(await queries().find(guild(51), account(2))).toMatchObject(said)
    await happens(left(51, 2), joined(51, 2))
    expect(await queries().find(guild(51), account(2))).toMatchObject(initialAttributes)
  })

  it('continue for a member who comes back during a timeout', async () => {
    const until = after(100)
    const admission = { by: 'custom_invite' } as const
    const data = { guildId: guild(52), accountId: account(2), joinedAt: after(1), temporary: false, admission }
    await happens(created(52), { type: 'MemberJoined', data: { ...data, communicationDisabledUntil: until } })
    expect(await queries().find(guild(52), account(2))).toMatchObject({ communicationDisabledUntil: until })
  })

  it('lose their texts as soon as the account is erased', async () => {
    await happens(created(53), joined(53, 70), joined(53, 71))
    for (const person of [70, 71]) await happens(changed(53, person, { textsBefore: noTexts, textsAfter: texts }))
    await happens(erased(70))
    expect(await queries().find(guild(53), account(70))).toMatchObject(noTexts)
    expect(await queries().find(guild(53), account(71))).toMatchObject(texts)
  })

  it('include how it joined, while it is there', async () => {
    const admission = { by: 'invite', code: inviteCode('aB3xY7zQ'), inviterId: account(1), redemptionId: 'r' } as const
    await happens(created(54), joined(54, 2, { admission, seconds: 5 }))
    expect(await queries().admissionOf(guild(54), account(2))).toStrictEqual({ admission, admittedAt: after(5) })
    await happens({ type: 'MemberKicked', data: { guildId: guild(54), accountId: account(2), kickedAt: after(6) } })
    expect(await queries().admissionOf(guild(54), account(2))).toBeUndefined()
    expect(await queries().countOf(guild(54))).toBe(0)
  })
})

describe('members', () => {
  it('are paged by their ids', async () => {
    await happens(created(55), joined(55, 3), joined(55, 1), joined(55, 2))
    const page = async (limit: number, from?: number) => {
      const members = await queries().page(guild(55), {
        limit,
        ...(from === undefined ? {} : { after: account(from) }),
      })
      return members.map(({ accountId }) => accountId)
    }
    expect(await page(2)).toStrictEqual([account(1), account(2)])
    expect(await page(2, 2)).toStrictEqual([account(3)])
    expect(await page(2, 3)).toStrictEqual([])
  })

  it('are counted', async () => {
    await happens(created(4), joined(4, 1), joined(4, 2), joined(4, 3), left(4, 2), joined(4, 2), left(4, 3))
    expect(await queries().countOf(guild(4))).toBe(2)
    expect(await queries().countOf(guild(99))).toBe(0)
  })

  it('end with their guild, also those who joined too late', async () => {
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
    const none = { nick: null, bio: null, pronouns: null }
    await happens(changed(43, 61, { textsBefore: none, textsAfter: { ...none, nick: 'Sixty-one' } }))
    expect(await queries().sharedGuilds(account(60), account(61))).toStrictEqual([
      { guildId: guild(41), nick: null, memberCount: 2 },
      { guildId: guild(43), nick: 'Sixty-one', memberCount: 3 },
    ])
    expect(await queries().sharedGuilds(account(60), account(63))).toStrictEqual([])
    expect(await queries().sharedGuilds(account(62), account(62))).toMatchObject([{ guildId: guild(43) }])
    const among = await queries().amongGuilds([41, 43, 44].map(guild), [61, 62, 63].map(account))
    expect(among.map(({ guildId }) => guildId).toSorted()).toStrictEqual([guild(41), guild(43), guild(43)])
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

describe('members by their names', () => {
  it('are found by the beginning of the nickname, else the global name, else the username, in any case', async () => {
    const names = [{ username: 'Émile' }, { globalName: 'ÉMILIE' }, { username: 'x' }, { username: 'émile' }]
    const people = names.map((more, index) => registered(900 + index, more))
    await happens(...people, created(90, account(900)), ...people.map((_, index) => joined(90, 900 + index)))
    const nicked = (person: number, nick: string): AnyEvent => {
      const textsAfter = { nick, bio: null, pronouns: null }
      const texts = { textsBefore: null, textsAfter, timeoutReason: null }
      return { type: 'MemberChanged', data: { ...name(90, person), before: {}, after: {}, ...texts } }
    }
    await happens(nicked(902, 'émil%'), nicked(903, 'Zoe'))
    const ids = [900, 901, 902].map(account)
    expect(await queries().named(guild(90), 'ÉMIL', 10)).toStrictEqual(ids)
    expect(await queries().named(guild(90), 'émil', 2)).toStrictEqual(ids.slice(0, 2))
    expect(await queries().named(guild(90), 'émil%', 10)).toStrictEqual([account(902)])
    expect(await queries().named(guild(90), '', 10)).toStrictEqual([...ids, account(903)])
    expect(await queries().named(guild(91), '', 10)).toStrictEqual([])
  })
})
