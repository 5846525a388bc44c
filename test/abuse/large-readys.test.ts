import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultThreads } from '../../domain/guild/channel.ts'
import { plainChannel } from '../../domain/guild/layout.ts'
import { channelId, type ChannelId } from '../../domain/ids/ids.ts'
import type { DomainEvent } from '../../domain/kernel/decider.ts'
import type { Client, Payload } from '../gateway/support/client.ts'
import { identifyOf, left } from '../gateway/support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../gateway/support/stage.ts'

/** More than the buffers of a loopback socket hold. */
const beyondBuffers_chars = 14 * 1024 * 1024

let stage: Stage
let ada: Account
let homes: readonly [Place, Place, Place]

const beat_ms = 20_000

/** For one network, one guild at a time is encoded and sent. */
const limits = { readyGuilds_bytes_max: 1000, encodedPerIp_bytes_max: 1024 }

beforeEach(async () => {
  stage = await openStage({ limits })
  ada = stage.account()
  homes = [stage.found(ada), stage.found(ada), stage.found(ada)]
})
afterEach(async () => {
  expect(stage.errors).toStrictEqual([])
  await stage.end()
})

const settings = (home: Place, text: string): DomainEvent => ({
  type: 'GuildSettingsChanged',
  data: { guildId: home.id, settings: { contentWarningText: text } },
})

const textChannel = ({ id: guildId }: Place, id: ChannelId): DomainEvent => {
  const channel = { ...plainChannel, id, type: 0, name: 'talk', position: 9, threads: defaultThreads }
  return { type: 'ChannelCreated', data: { guildId, channel, founding: false } }
}

/** A client that stops reading once it has requested a session. */
async function stall(account: Account): Promise<Client> {
  const client = await stage.greet()
  client.socket.pause()
  client.send(2, identifyOf(account))
  return client
}

const heardOf = ({ t, s, d }: Payload): readonly unknown[] => [t, s, d['id']]

/** The guilds in the READY that it got. */
const guildsIn = ({ dispatches: [ready] }: Client): readonly unknown[] => {
  const guilds = ready?.d['guilds']
  return Array.isArray(guilds) ? guilds : []
}

async function guildsAfter(client: Client): Promise<readonly Payload[]> {
  for (let count = 0; count < guildsIn(client).length; count += 1) await client.dispatch('GUILD_CREATE')
  return client.dispatches.filter(({ t }) => t === 'GUILD_CREATE')
}

describe('READY of an account whose guilds are large in total', () => {
  it('has their unavailable form; then each guild comes by itself, the one that the client looks at first', async () => {
    const [first, second, third] = homes
    const client = await stage.identify(ada, { initial_guild_id: second.id })
    const named = [third, second, first].map(({ id }) => ({ id, unavailable: true }))
    expect(guildsIn(client)).toStrictEqual(named)
    expect((await guildsAfter(client)).map(heardOf)).toStrictEqual(
      [second, third, first].map(({ id }, index) => ['GUILD_CREATE', index + 2, id]),
    )
  })

  it('contains small guilds itself: each is the same except for its user, who is complete', async () => {
    const client = await stage.identify(ada)
    const later = (await guildsAfter(client)).map(({ d }) => d)
    const plain = await openStage()
    const bea = plain.account()
    const home = plain.found(bea)
    const whole = await plain.identify(bea)
    const [held] = guildsIn(whole) as readonly Readonly<Record<string, unknown>>[]
    expect(await plain.heard(home, whole)).toStrictEqual([[]])
    await plain.end()
    expect(Object.keys(later[0] ?? {})).toStrictEqual(Object.keys(held ?? {}))
    expect(held?.['members']).toMatchObject([{ user: { id: bea.id } }])
    expect(later[0]?.['members']).toMatchObject([{ user: { id: ada.id, username: `user${ada.id}` } }])
  })

  it('is followed by the events since, once and in order, after the guilds as they were', async () => {
    const [first] = homes
    const inTheWay = await waitBehindAnother()
    const client = await stage.identify(ada)
    stage.happen(settings(first, 'changed'), left(homes[1].id, ada.id))
    await stage.handled()
    expect(client.dispatches.map(({ t }) => t)).toStrictEqual(['READY'])
    inTheWay.socket.terminate()
    await client.dispatch('GUILD_DELETE')
    expect(client.dispatches.slice(1, 6).map(heardOf)).toStrictEqual([
      ['GUILD_CREATE', 2, homes[2].id],
      ['GUILD_CREATE', 3, homes[1].id],
      ['GUILD_CREATE', 4, first.id],
      ['GUILD_UPDATE', 5, first.id],
      ['GUILD_DELETE', 6, homes[1].id],
    ])
    expect(client.dispatches[3]?.d['properties']).toMatchObject({ content_warning_text: null })
    expect(client.dispatches[4]?.d).toMatchObject({ content_warning_text: 'changed' })
  })

  it('cannot be resumed before its last guild, but can from there on', async () => {
    const client = await stage.identify(ada)
    await guildsAfter(client)
    for (const seq of [1, 3]) await (await stage.resume(ada, client.sessionId, seq)).op(9)
    stage.happen(settings(homes[0], 'changed'))
    await client.dispatch('GUILD_UPDATE')
    const back = await stage.resume(ada, client.sessionId, 4)
    await back.dispatch('RESUMED')
    expect(back.dispatches.map(({ t, s }) => [t, s])).toStrictEqual([
      ['GUILD_UPDATE', 5],
      ['RESUMED', 5],
    ])
  })

  it('leaves out a closed guild, which stays unavailable', async () => {
    const guildId = homes[1].id
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId, features: ['UNAVAILABLE_FOR_EVERYONE'] } })
    const client = await stage.identify(ada)
    await stage.heard(homes[0], client)
    expect(client.dispatches.flatMap(({ t, d }) => (t === 'GUILD_CREATE' ? [d['id']] : []))).toStrictEqual([
      homes[2].id,
      homes[0].id,
    ])
  })

  it('is complete for a user who ignores GUILD_CREATE, and has no guilds for a bot that does', async () => {
    const ignored_events = ['GUILD_CREATE']
    await guildsAfter(await stage.identify(ada, { ignored_events }))
    const bot = stage.account({ bot: true })
    const home = stage.found(bot)
    const client = await stage.identify(bot, { ignored_events })
    expect(await stage.heard(home, client)).toStrictEqual([[]])
  })

  it('gives a bot its guilds one by one too, including the unavailable ones', async () => {
    const bot = stage.account({ bot: true })
    const places = [stage.found(bot), stage.found(bot), stage.found(bot)] as const
    const features = ['UNAVAILABLE_FOR_EVERYONE']
    stage.happen({ type: 'GuildFeaturesChanged', data: { guildId: places[1].id, features } })
    const client = await stage.identify(bot)
    await client.until(({ s }) => s === 4, 'the last guild')
    expect(client.dispatches.slice(1).map(heardOf)).toStrictEqual([
      ['GUILD_CREATE', 2, places[2].id],
      ['GUILD_DELETE', 3, places[1].id],
      ['GUILD_CREATE', 4, places[0].id],
    ])
  })
})

/** Another account in the same network uses up the network's room for encoded guilds, and does not read. */
async function waitBehindAnother(): Promise<Client> {
  const bea = stage.account()
  const place = stage.found(bea)
  stage.happen(settings(place, 'x'.repeat(beyondBuffers_chars)))
  await stage.handled()
  const client = await stall(bea)
  await stage.stats(({ sessions }) => sessions === 1)
  // The guild would be encoded by now if no other account were before it.
  for (let count = 0; count < 10; count += 1) await stage.turn()
  return client
}

describe('a client that does not read the guilds of its READY', () => {
  it('is cut off in time; its network waits meanwhile, and goes on then', async () => {
    const stalled = await waitBehindAnother()
    const client = await stage.identify(ada)
    // 32 KiB a second are fast enough.
    const time_ms = (beyondBuffers_chars / 32 / 1024) * 1000
    let passed_ms = 0
    while (stage.gateway.stats().slowClients === 0) {
      expect(client.dispatches).toHaveLength(1)
      stage.clock.advance(beat_ms)
      passed_ms += beat_ms
      // Sending does not count: the client must read.
      for (const each of [stalled, client]) each.send(1, null)
      await client.op(11)
      // Before the clock goes on, the Gateway has seen the end of a connection that it cut.
      for (let count = 0; count < 10; count += 1) await stage.turn()
    }
    expect(Math.abs(passed_ms - time_ms)).toBeLessThan(2 * beat_ms)
    await guildsAfter(client)
    expect(stage.gateway.stats().slowClients).toBe(1)
  })

  it('has no more than one guild encoded for it, however many it is in', async () => {
    const text = 'x'.repeat(beyondBuffers_chars)
    stage.happen(...homes.map((home) => settings(home, text)))
    await stage.handled()
    const before_bytes = process.memoryUsage().arrayBuffers
    await stall(ada)
    await stage.stats(({ sessions }) => sessions === 1)
    for (let count = 0; count < 50; count += 1) await stage.turn()
    expect(process.memoryUsage().arrayBuffers - before_bytes).toBeLessThan(1.5 * beyondBuffers_chars)
    expect(stage.gateway.stats().slowClients).toBe(0)
  })
})

describe('Identifies of one account at the same time', () => {
  it('read its guilds one after another', async () => {
    let [now, most] = [0, 0]
    stage.models.delay = async (question) => {
      if (question !== 'snapshot') return
      most = Math.max(most, (now += 1))
      await stage.turn()
      now -= 1
    }
    const clients = await Promise.all([1, 2, 3, 4].map(() => stage.greet()))
    for (const client of clients) client.send(2, identifyOf(ada))
    for (const client of clients) await client.dispatch('READY')
    expect(most).toBe(1)
  })
})

describe('a Lazy Request for a large guild', () => {
  it('is answered once the client has read what was sent before', async () => {
    const [home] = homes
    stage.happen(settings(home, 'x'.repeat(1000)))
    const channels = Array.from({ length: 200 }, () => stage.newId())
    stage.happen(...channels.map((id) => textChannel(home, channelId(id))))
    const client = await stage.identify(ada)
    await guildsAfter(client)
    client.send(14, { subscriptions: { [home.id]: { active: true } } })
    const sync = await client.dispatch('GUILD_SYNC')
    expect(sync.s).toBe(5)
    expect(sync.d['channels']).toHaveLength(204)
    client.send(14, { subscriptions: { [home.id]: { sync: true } } })
    expect(await stage.heard(home, client)).toStrictEqual([[]])
  })
})
