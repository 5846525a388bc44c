import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainChannel } from '../../../domain/guild/layout.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import type { Client } from '../support/client.ts'
import { joined, left, rolesChanged, start } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let grace: Account
let linus: Account
let home: Place
/** The owner, and a member without any role. */
let owner: Client
let member: Client
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  grace = stage.account()
  linus = stage.account()
  home = stage.found(ada)
  stage.happen(joined(home.id, grace.id))
  owner = await stage.identify(ada)
  member = await stage.identify(grace)
})
afterEach(async () => {
  await stage.end()
})

describe('an account joins', () => {
  it('and the guild hears of the new member', async () => {
    stage.happen(joined(home.id, linus.id))
    for (const client of [owner, member]) {
      const { d } = await client.dispatch('GUILD_MEMBER_ADD')
      expect(d).toStrictEqual({
        guild_id: home.id,
        user: {
          id: linus.id,
          username: `user${linus.id}`,
          discriminator: '0007',
          global_name: null,
          avatar: null,
          avatar_color: null,
          flags: 0,
        },
        nick: null,
        avatar: null,
        banner: null,
        accent_color: null,
        roles: [],
        joined_at: start,
        mute: false,
        deaf: false,
        communication_disabled_until: null,
      })
    }
  })

  it('and gets the whole guild, then the settings with the new guild first, in every session', async () => {
    const earlier = stage.found(linus)
    const joiners = [await stage.identify(linus), await stage.identify(linus)]
    stage.happen(joined(home.id, linus.id))
    for (const joiner of joiners) {
      const told = await joiner.until(({ t }) => t === 'USER_SETTINGS_UPDATE', 'settings')
      expect(told.map(({ t }) => t)).toStrictEqual(['GUILD_CREATE', 'USER_SETTINGS_UPDATE'])
      expect(told[0]?.d).toMatchObject({
        id: home.id,
        properties: { id: home.id },
        members: [{ user: { id: linus.id, username: `user${linus.id}` } }],
        member_count: 3,
        online_count: 3,
        joined_at: start,
      })
      expect(told[1]?.d).toMatchObject({ guild_folders: [{ id: -1, guild_ids: [home.id, earlier.id] }] })
    }
  })

  it('and hears from then on what happens there', async () => {
    const joiner = await stage.identify(linus)
    stage.happen(joined(home.id, linus.id))
    expect(await stage.heard(home, joiner)).toStrictEqual([['GUILD_CREATE', 'USER_SETTINGS_UPDATE']])
    const newest = stage.account()
    stage.happen(joined(home.id, newest.id))
    expect(await stage.heard(home, joiner)).toStrictEqual([['GUILD_MEMBER_ADD']])
  })

  it('in a guild in which nobody else has a session', async () => {
    const joiner = await stage.identify(linus)
    const quiet = stage.found(stage.account())
    stage.happen(joined(quiet.id, linus.id))
    const { d } = await joiner.dispatch('GUILD_CREATE')
    expect(d).toMatchObject({ id: quiet.id, member_count: 2, online_count: 1 })
    await joiner.dispatch('USER_SETTINGS_UPDATE')
    stage.happen(joined(quiet.id, stage.account().id))
    expect(await stage.heard(quiet, joiner)).toStrictEqual([['GUILD_MEMBER_ADD']])
  })

  it('as a bot, and gets no settings', async () => {
    const bot = stage.account({ bot: true })
    const joiner = await stage.identify(bot)
    stage.happen(joined(home.id, bot.id))
    expect(await stage.heard(home, joiner)).toStrictEqual([['GUILD_CREATE']])
  })

  it('and gets only the channels that it can view, and a category only if it contains one of them', async () => {
    const hidden = { id: home.id, type: 0, allow: '0', deny: permissionBits.VIEW_CHANNEL.toString() } as const
    const plain = { ...plainChannel, position: 9, overwrites: [hidden] }
    const category = stage.newId()
    const channels = [
      { ...plain, id: category, type: 4, name: 'Hidden', parentId: null },
      { ...plain, id: stage.newId(), type: 0, name: 'hidden', parentId: category },
    ]
    for (const channel of channels)
      stage.happen({ type: 'ChannelCreated', data: { guildId: home.id, channel, founding: true } })
    expect(await stage.heard(home, owner, member)).toStrictEqual([['CHANNEL_CREATE', 'CHANNEL_CREATE'], []])
    const joiner = await stage.identify(linus)
    stage.happen(joined(home.id, linus.id))
    expect((await joiner.dispatch('GUILD_CREATE')).d['channels']).toHaveLength(4)
  })
})

describe('a guild is founded', () => {
  it('and its owner gets it, with the channels that it begins with', async () => {
    const founder = await stage.identify(linus)
    const place = stage.found(linus)
    const { d } = await founder.dispatch('GUILD_CREATE')
    expect(d).toMatchObject({ id: place.id, properties: { owner_id: linus.id }, member_count: 1, online_count: 1 })
    expect(d['channels']).toHaveLength(4)
    await founder.dispatch('USER_SETTINGS_UPDATE')
  })
})

describe('an account leaves', () => {
  it('and the guild hears of it, while the account loses the guild', async () => {
    stage.happen(left(home.id, grace.id))
    expect((await owner.dispatch('GUILD_MEMBER_REMOVE')).d).toStrictEqual({ guild_id: home.id, user: { id: grace.id } })
    const told = await member.until(({ t }) => t === 'USER_SETTINGS_UPDATE', 'settings')
    expect(told.map(({ t, d }) => [t, d['id'], d['guild_folders']])).toStrictEqual([
      ['GUILD_DELETE', home.id, undefined],
      [
        'USER_SETTINGS_UPDATE',
        undefined,
        [{ id: -1, name: null, color: null, flags: 0, icon: 'folder', guild_ids: [] }],
      ],
    ])
    expect(told[0]?.d).toStrictEqual({ id: home.id })
  })

  it('and hears nothing of the guild any more', async () => {
    stage.happen(left(home.id, grace.id))
    await member.dispatch('USER_SETTINGS_UPDATE')
    await stage.heard(home, owner)
    stage.happen({ type: 'AclsGranted', data: { accountId: grace.id, acls: [] } })
    const told = await member.until(({ t }) => t === 'USER_UPDATE', 'what comes after it')
    expect(told).toHaveLength(1)
  })
})

describe('a guild is deleted', () => {
  it('and every session in it loses it, in any state', async () => {
    const features = ['UNAVAILABLE_FOR_EVERYONE']
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: home.id, features } })
    stage.happen({ type: 'GuildDeleted', data: { guildId: home.id, ownerId: ada.id } })
    for (const client of [owner, member]) {
      const told = await client.until(({ t }) => t === 'USER_SETTINGS_UPDATE', 'settings')
      expect(told.map(({ t }) => t)).toStrictEqual([
        'GUILD_UPDATE',
        'GUILD_DELETE',
        'GUILD_DELETE',
        'USER_SETTINGS_UPDATE',
      ])
      expect(told[1]?.d).toStrictEqual({ id: home.id, unavailable: true })
      expect(told[2]?.d).toStrictEqual({ id: home.id, guild_id: home.id })
    }
    expect(stage.gateway.stats().guilds).toBe(0)
  })
})

describe('a guild changes', () => {
  it('and every session gets the whole guild', async () => {
    stage.happen({ type: 'GuildSettingsChanged', data: { guildId: home.id, settings: { nsfw: true } } })
    for (const client of [owner, member]) {
      const { d } = await client.dispatch('GUILD_UPDATE')
      expect(d).toMatchObject({ id: home.id, guild_id: home.id, name: 'Home', nsfw: true, nsfw_level: 3 })
      expect(d).not.toHaveProperty('channels')
    }
  })

  it('becomes unavailable, sends nothing meanwhile, and comes back', async () => {
    const closed = ['UNAVAILABLE_FOR_EVERYONE_BUT_STAFF', 'UNAVAILABLE_HIDDEN']
    const worker = stage.account({ flags: '1' })
    stage.happen(joined(home.id, worker.id))
    const staff = await stage.identify(worker)
    await stage.heard(home, owner, staff)
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: home.id, features: closed } })
    stage.happen(joined(home.id, linus.id))
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: home.id, features: [] } })
    const [told, staffTold] = await stage.told(home, owner, staff)
    expect(told?.map(({ t }) => t)).toStrictEqual(['GUILD_UPDATE', 'GUILD_DELETE', 'GUILD_UPDATE', 'GUILD_CREATE'])
    expect(told?.[1]?.d).toStrictEqual({ id: home.id, unavailable: true, unavailable_hidden: true })
    expect(told?.[3]?.d).toMatchObject({ id: home.id, member_count: 4, members: [{ user: { id: ada.id } }] })
    expect(staffTold?.map(({ t }) => t)).toStrictEqual(['GUILD_UPDATE', 'GUILD_UPDATE', 'GUILD_CREATE'])
  })

  it('gets a new role, with thread bits only for clients that understand threads', async () => {
    const aware = await stage.identify(grace, { flags: 4 })
    stage.role(home, 'SEND_MESSAGES', 'MANAGE_THREADS')
    const masks = await Promise.all(
      [member, aware].map(async (client) => {
        const { d } = await client.dispatch('GUILD_ROLE_CREATE')
        return (d['role'] as { permissions: string }).permissions
      }),
    )
    const { SEND_MESSAGES, MANAGE_THREADS } = permissionBits
    expect(masks).toStrictEqual([SEND_MESSAGES.toString(), (SEND_MESSAGES | MANAGE_THREADS).toString()])
  })

  it('gets a new forum, which exists only for clients that understand threads', async () => {
    const aware = await stage.identify(grace, { flags: 4 })
    const channel = { ...plainChannel, position: 9, id: stage.newId(), type: 15, name: 'forum' }
    stage.happen({ type: 'ChannelCreated', data: { guildId: home.id, channel, founding: false } })
    expect(await stage.heard(home, member, aware)).toStrictEqual([[], ['CHANNEL_CREATE']])
  })
})

describe('an account changes', () => {
  it('and its own sessions get the whole account', async () => {
    stage.models.register(ada.id, { acls: ['*'] })
    stage.happen({ type: 'AclsGranted', data: { accountId: ada.id, acls: ['*'] } })
    expect((await owner.dispatch('USER_UPDATE')).d).toMatchObject({
      id: ada.id,
      acls: ['*'],
      email: expect.any(String),
    })
    expect(await stage.heard(home, member)).toStrictEqual([[]])
  })
})

describe('an event that a session ignores', () => {
  it('gets no sequence number', async () => {
    const deaf = await stage.identify(grace, { ignored_events: ['guild_member_add', 'GUILD_ROLE_CREATE'] })
    stage.happen(joined(home.id, linus.id))
    stage.role(home)
    expect(await stage.heard(home, deaf)).toStrictEqual([[]])
    expect(deaf.dispatches.map(({ s }) => s)).toStrictEqual([1, 2])
  })
})

describe('a sharded session', () => {
  it('hears of the guilds of its shard, and of its account only on shard 0', async () => {
    const shard = Number((BigInt(home.id) >> 22n) % 2n)
    const here = await stage.identify(grace, { shard: [shard, 2] })
    const elsewhere = await stage.identify(grace, { shard: [1 - shard, 2] })
    stage.models.register(grace.id, { acls: ['*'] })
    stage.happen(joined(home.id, linus.id), { type: 'AclsGranted', data: { accountId: grace.id, acls: ['*'] } })
    await stage.heard(home, here)
    const heard = [here, elsewhere].map((client) => client.dispatches.map(({ t }) => t))
    const ofAccount = ['USER_UPDATE']
    expect(heard).toStrictEqual([
      ['READY', 'GUILD_MEMBER_ADD', ...(shard === 0 ? ofAccount : []), 'GUILD_UPDATE'],
      ['READY', ...(shard === 0 ? [] : ofAccount)],
    ])
  })
})

describe('roles', () => {
  it('count from the event that gives or removes them', async () => {
    const auditor = stage.role(home, 'VIEW_AUDIT_LOG')
    const made = (): void => stage.happen({ type: 'InviteCreated', data: stage.invite(home, ada) })
    made()
    stage.happen(rolesChanged(home.id, grace.id, auditor))
    made()
    stage.happen(rolesChanged(home.id, grace.id))
    made()
    expect(await stage.heard(home, member)).toStrictEqual([
      [
        'GUILD_ROLE_CREATE',
        'GUILD_MEMBER_UPDATE',
        'GUILD_AUDIT_LOG_ENTRY_CREATE',
        'GUILD_AUDIT_LOG_ENTRY_CREATE',
        'GUILD_MEMBER_UPDATE',
      ],
    ])
  })
})
