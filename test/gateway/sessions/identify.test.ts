import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { identifyOf, joined } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let home: Place
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  home = stage.found(ada)
})
afterEach(async () => {
  await stage.end()
})

async function ready(account: Account, more: object = {}) {
  const client = await stage.greet()
  client.send(2, identifyOf(account, more))
  return client.dispatch('READY')
}

const properties = { os: 'linux', browser: 'test', device: 'test' }

describe('an Identify', () => {
  it.each([
    ['without an object', 'token'],
    ['without a token', { properties }],
    ['with a token that is no string', { token: 5, properties }],
    ['without properties', { token: 'gld_x' }],
    ['with properties that are no object', { token: 'gld_x', properties: [] }],
    ['without a device', { token: 'gld_x', properties: { os: 'a', browser: 'b' } }],
    ['with ignored_events that are no strings', { token: 'gld_x', properties, ignored_events: [1] }],
    ['with 257 ignored_events', { token: 'gld_x', properties, ignored_events: Array(257).fill('A') }],
    ['with flags below 0', { token: 'gld_x', properties, flags: -1 }],
    ['with flags that are no integer', { token: 'gld_x', properties, flags: 1.5 }],
  ])('%s is closed 4002', async (_, d) => {
    const client = await stage.greet()
    client.send(2, d)
    expect(await client.closed).toStrictEqual({ code: 4002, reason: 'Invalid identify payload' })
  })

  it.each([[[1, 1]], [[0, 0]], [[-1, 2]], [[0, 16_385]], [[0]], [['0', 1]], [0], [null]])(
    'with the shard %j is closed 4010',
    async (shard) => {
      const client = await stage.greet()
      client.send(2, identifyOf(ada, { shard }))
      expect(await client.closed).toStrictEqual({ code: 4010, reason: 'Invalid shard' })
    },
  )

  it('with a latitude that is not a decimal string fails to start, 4000', async () => {
    const client = await stage.greet()
    client.send(2, { ...identifyOf(ada), properties: { ...properties, latitude: 52.5 } })
    expect(await client.closed).toStrictEqual({ code: 4000, reason: 'Failed to start session' })
  })

  it.each(['gld_unknown', '', 'Bearer something'])('with the token %j is closed 4004', async (token) => {
    const client = await stage.greet()
    client.send(2, identifyOf({ token }))
    expect(await client.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
  })

  it('is closed 4000 when the read models do not answer', async () => {
    stage.models.delay = () => Promise.reject(new Error('down'))
    const client = await stage.greet()
    client.send(2, identifyOf(ada))
    expect(await client.closed).toStrictEqual({ code: 4000, reason: 'Failed to start session' })
  })

  it('that comes a second time is closed 4005, with or without d, and while the first is in progress', async () => {
    const again = await stage.identify(ada)
    again.send(2, identifyOf(ada))
    expect(await again.closed).toStrictEqual({ code: 4005, reason: 'Already authenticated' })
    const dataless = await stage.identify(ada)
    dataless.send(2)
    expect(await dataless.closed).toStrictEqual({ code: 4005, reason: 'Already authenticated' })
    const hasty = await stage.greet()
    hasty.send(2, identifyOf(ada))
    hasty.send(2, identifyOf(ada))
    expect(await hasty.closed).toStrictEqual({ code: 4005, reason: 'Already authenticated' })
  })

  it('may contain members that the Gateway does not know', async () => {
    const client = await stage.identify(ada, { intents: 513, compress: true, large_threshold: 50, shard: [0, 1] })
    expect(client.dispatches[0]?.d).toMatchObject({ shard: [0, 1] })
  })
})

describe('READY', () => {
  it('has every member that a client expects', async () => {
    const { s, d } = await ready(ada)
    expect(s).toBe(1)
    expect(d).toMatchObject({
      session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      version: 1,
      user: { id: ada.id, email: 'somebody@example.test', acls: [] },
      guilds: [{ id: home.id }],
      private_channels: [],
      relationships: [],
      presences: [],
      users: [{ id: ada.id, discriminator: '0007' }],
      read_states: [],
      user_settings: { guild_folders: [{ id: -1, guild_ids: [home.id] }] },
      user_guild_settings: [],
      notes: {},
      pinned_dms: [],
      favorite_memes: [],
      webauthn_credentials: [],
      rtc_regions: [{ id: 'automatic', name: 'Automatic' }],
      country_code: 'US',
      auth_session_id_hash: ada.tokenHash,
    })
    for (const absent of ['v', 'application', 'shard', 'latitude']) expect(d).not.toHaveProperty(absent)
  })

  it('contains the guild as its member sees it, whose own user is only an id', async () => {
    const { d } = await ready(ada)
    const [guild] = d['guilds'] as [Record<string, unknown>]
    expect(guild).toMatchObject({
      properties: { id: home.id, name: 'Home', owner_id: ada.id },
      roles: [{ id: home.id, name: '@everyone' }],
      channels: [{ type: 4 }, { type: 4 }, { id: home.general, type: 0, guild_id: home.id }, { type: 2 }],
      emojis: [],
      stickers: [],
      members: [{ user: { id: ada.id }, roles: [] }],
      member_count: 1,
      online_count: 1,
      presences: [],
      voice_states: [],
    })
    expect(guild).not.toHaveProperty('threads')
    expect((guild['members'] as [{ user: object }])[0].user).toStrictEqual({ id: ada.id })
    expect(guild['properties']).not.toHaveProperty('roles')
  })

  it('shows thread bits, and a list of threads, only to a session that understands them', async () => {
    const threadBits = 1n << 38n
    const masks = await Promise.all(
      [0, 4].map(async (flags) => {
        const { d } = await ready(ada, { flags })
        const [guild] = d['guilds'] as [{ roles: [{ permissions: string }]; threads?: [] }]
        return [(BigInt(guild.roles[0].permissions) & threadBits) !== 0n, guild.threads]
      }),
    )
    expect(masks).toStrictEqual([
      [false, undefined],
      [true, []],
    ])
  })

  it('says only that a guild is unavailable, except to staff if staff may still enter', async () => {
    const staff = stage.account({ flags: '1' })
    stage.happen(joined(home.id, staff.id))
    const features = ['UNAVAILABLE_FOR_EVERYONE_BUT_STAFF', 'UNAVAILABLE_HIDDEN']
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: home.id, features } })
    expect((await ready(ada)).d['guilds']).toStrictEqual([{ id: home.id, unavailable: true, unavailable_hidden: true }])
    expect((await ready(staff)).d['guilds']).toMatchObject([{ id: home.id, properties: { name: 'Home' } }])
  })

  it('lists the account’s sessions, beginning with their combination', async () => {
    const { d: first } = await ready(ada, { presence: { status: 'idle', afk: true } })
    const { d: second } = await ready(ada, { presence: { status: 'dnd', mobile: true } })
    expect(second['sessions']).toStrictEqual([
      { session_id: 'all', status: 'dnd', afk: false, mobile: true },
      { session_id: first['session_id'], status: 'idle', afk: true, mobile: false },
      { session_id: second['session_id'], status: 'dnd', afk: false, mobile: true },
    ])
  })

  it.each([
    ['no presence', {}, true],
    ['a presence of null', { presence: null }, true],
    ['a presence that is none', { presence: 'online' }, false],
    ['a presence that does not say so', { presence: {} }, false],
  ])('is on a phone by its properties with %s alone', async (_, more, mobile) => {
    const { d } = await ready(ada, { properties: { ...properties, mobile: true }, ...more })
    expect(d['sessions']).toMatchObject([{ session_id: 'all', mobile }, { mobile }])
  })

  it('echoes the place that the client reports', async () => {
    const place = { latitude: '52.52', longitude: '-13.4' }
    const { d } = await ready(ada, { properties: { ...properties, ...place } })
    expect(d).toMatchObject(place)
  })

  it('counts online members, but not invisible ones', async () => {
    const grace = stage.account()
    stage.happen(joined(home.id, grace.id))
    await stage.identify(grace, { presence: { status: 'invisible' } })
    const { d } = await ready(ada)
    expect(d['guilds']).toMatchObject([{ member_count: 2, online_count: 1 }])
  })

  it('of a sharded session has only the guilds of its shard', async () => {
    const shard = Number((BigInt(home.id) >> 22n) % 2n)
    expect((await ready(ada, { shard: [shard, 2] })).d['guilds']).toHaveLength(1)
    expect((await ready(ada, { shard: [1 - shard, 2] })).d['guilds']).toStrictEqual([])
  })
})

describe('a bot', () => {
  it('gets its guilds one by one after a READY without them, and no settings', async () => {
    const bot = stage.account({ bot: true })
    const closed = stage.found(ada)
    stage.happen(joined(home.id, bot.id), joined(closed.id, bot.id))
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: closed.id, features: ['UNAVAILABLE_FOR_EVERYONE'] } })
    const client = await stage.identify(bot)
    await client.dispatch('GUILD_CREATE')
    expect(client.dispatches[0]?.d).toMatchObject({ guilds: [], users: [], user_settings: null })
    expect(client.dispatches.map(({ t, s }) => [t, s])).toStrictEqual([
      ['READY', 1],
      ['GUILD_DELETE', 2],
      ['GUILD_CREATE', 3],
    ])
    expect(client.dispatches[1]?.d).toStrictEqual({ id: closed.id, unavailable: true })
    expect(client.dispatches[2]?.d).toMatchObject({
      id: home.id,
      members: [{ user: { username: expect.any(String) } }],
    })
  })

  it('with too many guilds for a shard is closed 4011', async () => {
    await stage.end()
    stage = await openStage({ limits: { guildsPerBotShard_max: 1 } })
    const bot = stage.account({ bot: true })
    const places = [stage.found(stage.account()), stage.found(stage.account())] as const
    stage.happen(joined(places[0].id, bot.id), joined(places[1].id, bot.id))
    const client = await stage.greet()
    client.send(2, identifyOf(bot))
    expect(await client.closed).toStrictEqual({ code: 4011, reason: 'Sharding required' })
    const shard = 1 - Number((BigInt(places[0].id) >> 22n) % 2n)
    await stage.identify(bot, { shard: [shard, 2] })
  })
})
