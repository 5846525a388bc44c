import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { membersProjection } from '../../projections/members/projector.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { guildQueries } from '../../projections/guilds/queries.ts'
import type { GuildPage } from '../../application/ports/queries/guild-queries.ts'
import { inviteCode } from '../../domain/ids/ids.ts'
import type { GuildSettings } from '../../domain/guild/state.ts'
import {
  account,
  after,
  channel,
  created,
  deleted,
  guild,
  joined,
  left,
  role,
  settings,
  someChannel,
  someRole,
  start,
  withChannel,
  withRole,
} from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => guildQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([guildsProjection, membersProjection])
})

afterAll(() => the.close())

describe('a guild', () => {
  it('is found as it was created, with roles and channels in order', async () => {
    await happens(
      created(1),
      withRole(1, someRole(3, 1)),
      withRole(1, someRole(2, 1)),
      withRole(1, someRole(1, 0)),
      withChannel(1, someChannel(12, 10)),
      withChannel(1, someChannel(13, 2)),
      withChannel(1, someChannel(11, 2)),
    )
    expect(await queries().find(guild(1))).toStrictEqual({
      id: guild(1),
      name: 'Guild 1',
      ownerId: account(1),
      features: ['BANNER'],
      settings,
      createdAt: start,
      roles: [someRole(1, 0), someRole(2, 1), someRole(3, 1)],
      channels: [someChannel(11, 2), someChannel(13, 2), someChannel(12, 10)],
    })
  })

  it('is found without roles or channels, but not if it does not exist', async () => {
    await happens(created(2))
    expect(await queries().find(guild(2))).toMatchObject({ roles: [], channels: [] })
    expect(await queries().find(guild(99))).toBe(undefined)
  })

  it('has some or all of its settings changed', async () => {
    const changed: GuildSettings = {
      icon: 'a_hash',
      banner: { hash: 'a_banner', width: 960, height: 540 },
      splash: { hash: 'splash', width: 16, height: 9 },
      embedSplash: null,
      systemChannelId: channel(1),
      systemChannelFlags: 3,
      rulesChannelId: channel(2),
      afkChannelId: channel(3),
      afkTimeout: 60,
      verificationLevel: 4,
      mfaLevel: 1,
      nsfw: true,
      contentWarningLevel: 1,
      contentWarningText: 'careful',
      explicitContentFilter: 2,
      defaultMessageNotifications: 1,
      disabledOperations: 8,
      messageHistoryCutoff: after(5),
      vanityCode: inviteCode('vanity'),
      splashCardAlignment: 2,
    }
    const settingsChanged = (now: Partial<GuildSettings>): AnyEvent => ({
      type: 'GuildSettingsChanged',
      data: { guildId: guild(3), settings: now },
    })
    await happens(created(3), settingsChanged(changed))
    expect((await queries().find(guild(3)))?.settings).toStrictEqual(changed)
    await happens(settingsChanged({ icon: null, afkTimeout: 300 }))
    expect((await queries().find(guild(3)))?.settings).toStrictEqual({ ...changed, icon: null, afkTimeout: 300 })
  })

  it('is rewritten, and what did not differ stays', async () => {
    const modified = (after: object): AnyEvent => ({
      type: 'GuildModified',
      data: { guildId: guild(30), before: {}, after },
    })
    await happens(created(30), modified({ name: 'Hearth', features: ['VERIFIED'], afkTimeout: 60 }), modified({}))
    expect(await queries().find(guild(30))).toMatchObject({
      name: 'Hearth',
      features: ['VERIFIED'],
      settings: { afkTimeout: 60, mfaLevel: 0 },
    })
  })

  it('has its features changed', async () => {
    await happens(created(4), {
      type: 'GuildFeaturesChanged',
      data: { guildId: guild(4), features: ['VERIFIED', 'INVITES_DISABLED'] },
    })
    expect((await queries().find(guild(4)))?.features).toStrictEqual(['VERIFIED', 'INVITES_DISABLED'])
  })

  it('is found for a member with the membership, and for others without', async () => {
    const ofFive = [withRole(5, someRole(7, 1)), withRole(5, someRole(8, 2))]
    await happens(created(5), ...ofFive, joined(5, 1), joined(5, 2), {
      type: 'MemberRolesChanged',
      data: { guildId: guild(5), accountId: account(2), roles: [role(7), role(8)] },
    })
    const member = {
      guildId: guild(5),
      accountId: account(2),
      joinedAt: start,
      temporary: false,
      roles: [role(7), role(8)],
    }
    expect(await queries().findFor(guild(5), account(2))).toStrictEqual({
      guild: await queries().find(guild(5)),
      member: expect.objectContaining(member),
      memberCount: 2,
    })
    expect(await queries().findFor(guild(5), account(3))).toMatchObject({ member: undefined, memberCount: 2 })
    expect(await queries().findFor(guild(99), account(2))).toBe(undefined)
  })

  it('is found by each of its channels', async () => {
    await happens(created(6), withChannel(6, someChannel(61, 0)), withChannel(6, someChannel(62, 1)), joined(6, 1))
    const found = await queries().findByChannel(channel(62), account(1))
    expect(found).toStrictEqual(await queries().findFor(guild(6), account(1)))
    expect(found?.member?.accountId).toBe(account(1))
    expect((await queries().findByChannel(channel(61), account(2)))?.member).toBe(undefined)
    expect(await queries().findByChannel(channel(99), account(1))).toBe(undefined)
  })

  it('has its roles changed and put in order', async () => {
    await happens(created(8), withRole(8, someRole(81, 1)), withRole(8, someRole(82, 2)))
    const ofRole = { guildId: guild(8), roleId: role(81) }
    const written = { name: 'Crew', permissions: '8', color: 255, hoist: true, hoistPosition: 3, mentionable: false }
    await happens(
      { type: 'RoleChanged', data: { ...ofRole, before: {}, after: written } },
      { type: 'RoleChanged', data: { ...ofRole, before: {}, after: {} } },
      {
        type: 'RolesReordered',
        data: {
          guildId: guild(8),
          roles: [
            { roleId: role(81), moved: true, before: { position: 1 }, after: { position: 2 } },
            { roleId: role(82), moved: false, before: { position: 2 }, after: { position: 1 } },
          ],
        },
      },
    )
    expect((await queries().find(guild(8)))?.roles).toStrictEqual([someRole(82, 1), { ...someRole(81, 2), ...written }])
    await happens({ type: 'RoleChanged', data: { ...ofRole, before: {}, after: { hoistPosition: null } } })
    expect((await queries().find(guild(8)))?.roles[1]?.hoistPosition).toBeNull()
  })

  it('loses a deleted role, as do its members and the overwrites of its channels', async () => {
    await happens(
      created(9),
      withRole(9, someRole(1, 1)),
      withRole(9, someRole(92, 2)),
      withChannel(9, someChannel(91, 0)),
      joined(9, 1),
      { type: 'MemberRolesChanged', data: { guildId: guild(9), accountId: account(1), roles: [role(92), role(1)] } },
    )
    const before = await queries().findFor(guild(9), account(1))
    expect(before?.member?.roles).toStrictEqual([role(92), role(1)])
    expect(before?.guild.channels[0]?.overwrites).toHaveLength(1)
    await happens({ type: 'RoleDeleted', data: { guildId: guild(9), role: someRole(1, 1) } })
    const found = await queries().findFor(guild(9), account(1))
    expect(found?.guild.roles).toStrictEqual([someRole(92, 2)])
    expect(found?.member?.roles).toStrictEqual([role(92)])
    expect(found?.guild.channels[0]?.overwrites).toStrictEqual([])
  })

  it('gets another owner', async () => {
    const transferred = { guildId: guild(10), from: account(1), to: account(2) }
    await happens(created(10), { type: 'OwnershipTransferred', data: transferred })
    expect((await queries().find(guild(10)))?.ownerId).toBe(account(2))
  })

  it('is in no answer once it is deleted, and neither are its roles, channels and members', async () => {
    await happens(
      created(7),
      withRole(7, someRole(71, 0)),
      withChannel(7, someChannel(71, 0)),
      joined(7, 1),
      joined(7, 9),
    )
    await happens(deleted(7))
    expect(await queries().find(guild(7))).toBe(undefined)
    expect(await queries().findByChannel(channel(71), account(1))).toBe(undefined)
    expect(await queries().ofMember(account(9), { limit: 200 })).toStrictEqual([])
    const left = await the.rows(`select guild_id from guilds.roles where guild_id = ${guild(7)}
      union all select guild_id from guilds.channels where guild_id = ${guild(7)}
      union all select guild_id from members.members where guild_id = ${guild(7)}
      union all select guild_id from members.member_counts where guild_id = ${guild(7)}`)
    expect(left).toStrictEqual([])
  })
})

describe('the guilds of an account', () => {
  const member = 50
  const numbers = async (page: Partial<GuildPage>): Promise<readonly string[]> => {
    const found = await queries().ofMember(account(member), { limit: 200, ...page })
    return found.map(({ guild: { name } }) => name.replace('Guild ', ''))
  }

  beforeAll(async () => {
    const created_ = [24, 21, 23, 22, 25].flatMap((number) => [created(number), joined(number, member)])
    await happens(...created_, created(26), joined(26, 51), created(27), joined(27, member), deleted(27))
    // A membership left behind by a join that came too late.
    await happens(joined(28, member), created(29), joined(29, member), left(29, member))
  })

  it('are in ascending order of their ids, and all exist', async () => {
    expect(await numbers({})).toStrictEqual(['21', '22', '23', '24', '25'])
    const [first] = await queries().ofMember(account(member), { limit: 1 })
    expect(first).toStrictEqual(await queries().findFor(guild(21), account(member)))
  })

  it('lie between two cursors, of which one that names another guild is ignored, for administrators', async () => {
    const between = async (page: Partial<GuildPage>): Promise<readonly string[]> => {
      const found = await queries().betweenCursors(account(member), { limit: 200, ...page })
      return found.map(({ name }) => name.replace('Guild ', ''))
    }
    const [lower, upper, foreign] = [guild(21), guild(25), guild(26)]
    expect(await between({})).toStrictEqual(['21', '22', '23', '24', '25'])
    expect(await between({ limit: 2 })).toStrictEqual(['21', '22'])
    expect(await between({ after: lower, before: upper })).toStrictEqual(['22', '23', '24'])
    expect(await between({ after: lower, before: upper, limit: 2 })).toStrictEqual(['22', '23'])
    expect(await between({ after: upper, before: lower })).toStrictEqual([])
    expect(await between({ before: upper, limit: 2 })).toStrictEqual(['23', '24'])
    expect(await between({ after: foreign, before: upper, limit: 2 })).toStrictEqual(['23', '24'])
    expect(await between({ after: lower, before: foreign, limit: 2 })).toStrictEqual(['22', '23'])
    expect(await between({ after: foreign, before: foreign })).toStrictEqual(['21', '22', '23', '24', '25'])
  })

  it('start after the cursor, or end just before it', async () => {
    expect(await numbers({ after: guild(22) })).toStrictEqual(['23', '24', '25'])
    expect(await numbers({ after: guild(22), limit: 1 })).toStrictEqual(['23'])
    expect(await numbers({ before: guild(24) })).toStrictEqual(['21', '22', '23'])
    expect(await numbers({ before: guild(24), limit: 2 })).toStrictEqual(['22', '23'])
    expect(await numbers({ after: guild(25) })).toStrictEqual([])
    expect(await numbers({ before: guild(21) })).toStrictEqual([])
  })

  it('start after the one cursor if both are given', async () => {
    expect(await numbers({ after: guild(23), before: guild(22) })).toStrictEqual(['24', '25'])
  })

  it('start with the first if the cursor names none of them', async () => {
    for (const cursor of [26, 27, 28, 29, 99]) {
      expect(await numbers({ after: guild(cursor), limit: 2 })).toStrictEqual(['21', '22'])
      expect(await numbers({ before: guild(cursor), limit: 2 })).toStrictEqual(['21', '22'])
    }
  })
})
