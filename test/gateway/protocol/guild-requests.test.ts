import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import type { Client } from '../support/client.ts'
import { joined } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let large: Place
let client: Client
beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  large = stage.found(ada, { extras: 300 })
  client = await stage.identify(ada)
})
afterEach(async () => {
  await stage.end()
})

const subscribe = (guild: string, entry: object): void => client.send(14, { subscriptions: { [guild]: entry } })

/** What the client got from a Lazy Request, up to the answer to a heartbeat. */
async function answered(): Promise<readonly string[]> {
  client.send(1, null)
  const told = await client.until(({ op }) => op === 11, 'ACK')
  return told.slice(0, -1).map(({ t }) => String(t))
}

describe('a Lazy Request', () => {
  it('makes a passive guild active, which sends the whole guild once', async () => {
    subscribe(large.id, { active: true })
    expect((await client.dispatch('GUILD_SYNC')).d).toMatchObject({
      id: large.id,
      properties: { name: 'Home' },
      members: [{ user: { username: `user${ada.id}` } }],
      member_count: 301,
      online_count: 1,
    })
    subscribe(large.id, { active: true, sync: true })
    expect(await answered()).toStrictEqual([])
    stage.happen(joined(large.id, stage.account().id))
    expect(await stage.heard(large, client)).toStrictEqual([['GUILD_MEMBER_ADD']])
  })

  it('makes it passive again, and the next time it is synced again', async () => {
    subscribe(large.id, { active: true })
    await client.dispatch('GUILD_SYNC')
    subscribe(large.id, { active: false })
    expect(await answered()).toStrictEqual([])
    stage.happen(joined(large.id, stage.account().id))
    expect(await stage.heard(large, client)).toStrictEqual([[]])
    subscribe(large.id, { active: true })
    expect((await client.dispatch('GUILD_SYNC')).d).toMatchObject({ member_count: 302 })
  })

  it('syncs without making it active', async () => {
    subscribe(large.id, { sync: true })
    await client.dispatch('GUILD_SYNC')
    stage.happen(joined(large.id, stage.account().id))
    expect(await stage.heard(large, client)).toStrictEqual([[]])
  })

  it.each([
    [
      'of a guild that is not the account’s',
      (): unknown => ({ subscriptions: { [stage.found(stage.account()).id]: { sync: true } } }),
    ],
    ['of what is no guild', (): unknown => ({ subscriptions: { home: { sync: true } } })],
    ['of nothing', (): unknown => 5],
    ['with an entry that is none', (): unknown => ({ subscriptions: { [large.id]: true } })],
    ['whose flags are no booleans', (): unknown => ({ subscriptions: { [large.id]: { active: 1, sync: 'yes' } } })],
  ])('%s is not answered', async (_, d) => {
    client.send(14, d())
    expect(await answered()).toStrictEqual([])
  })

  it('is not needed by the guild that Identify names', async () => {
    const active = await stage.identify(ada, { initial_guild_id: large.id })
    stage.happen(joined(large.id, stage.account().id))
    expect(await stage.heard(large, active)).toStrictEqual([['GUILD_MEMBER_ADD']])
    active.send(14, { subscriptions: { [large.id]: { active: true, sync: true } } })
    expect(await stage.heard(large, active)).toStrictEqual([[]])
  })

  it('of a bot has no effect', async () => {
    const bot = stage.account({ bot: true })
    stage.happen(joined(large.id, bot.id))
    const robot = await stage.identify(bot)
    await robot.dispatch('GUILD_CREATE')
    robot.send(14, { subscriptions: { [large.id]: { sync: true } } })
    robot.send(1, null)
    expect(await robot.until(({ op }) => op === 11, 'ACK')).toHaveLength(1)
  })

  it('of a session whose snapshot is ahead waits until its guild has caught up', async () => {
    const held = stage.commit({ type: 'GuildSettingsChanged', data: { guildId: large.id, settings: { nsfw: true } } })
    client = await stage.identify(ada)
    subscribe(large.id, { sync: true })
    expect(await answered()).toStrictEqual([])
    stage.publish(held)
    await stage.handled()
    stage.clock.advance(250)
    expect((await client.dispatch('GUILD_SYNC')).d).toMatchObject({ properties: { nsfw: true } })
    expect(client.dispatches.map(({ t }) => t)).toStrictEqual(['READY', 'GUILD_SYNC'])
  })
})

describe('Request Guild Counts', () => {
  it('is answered for the account’s guilds, with its nonce', async () => {
    const foreign = stage.found(stage.account())
    client.send(15, { guild_ids: [large.id, foreign.id], nonce: 'n' })
    expect((await client.dispatch('GUILD_COUNTS_UPDATE')).d).toStrictEqual({
      counts: [{ guild_id: large.id, member_count: 301, online_count: 1 }],
      nonce: 'n',
    })
  })

  it.each([
    ['without guilds', {}],
    ['of what are no guilds', { guild_ids: [1] }],
  ])('%s is dropped', async (_, d) => {
    client.send(15, d)
    expect(await answered()).toStrictEqual([])
  })
})

describe('a count', () => {
  it('is given for the first 100 guilds by id, and comes without a nonce that is none', async () => {
    const many = Array.from({ length: 100 }, (_, index) => String(index + 1))
    client.send(15, { guild_ids: [large.id, ...many], nonce: 'é'.repeat(33) })
    expect((await client.dispatch('GUILD_COUNTS_UPDATE')).d).toStrictEqual({ counts: [] })
    client.send(15, { guild_ids: [large.id, large.id, ...many.slice(1)], nonce: '' })
    expect((await client.dispatch('GUILD_COUNTS_UPDATE')).d).toStrictEqual({
      counts: [{ guild_id: large.id, member_count: 301, online_count: 1 }],
    })
  })
})

describe('Request Channel Member Counts', () => {
  it('is answered for the channels that every member can view, and for others by who sees them', async () => {
    const deny = permissionBits.VIEW_CHANNEL.toString()
    const plain = { type: 0, topic: null, nsfw: false, rateLimitPerUser: 0, voice: null, position: 9, parentId: null }
    const overwrites = [{ id: large.id, type: 0, allow: '0', deny }]
    const channel = { ...plain, id: stage.newId(), name: 'hidden', overwrites }
    stage.happen({ type: 'ChannelCreated', data: { guildId: large.id, channel } })
    await client.dispatch('CHANNEL_CREATE')
    client.send(16, { guild_id: large.id, channel_ids: [large.general, channel.id, stage.newId()] })
    const counts = [{ guild_id: large.id, channel_id: large.general, member_count: 301, online_count: 1 }]
    // Of the members, only the owner is more than a number here.
    const ofHidden = { guild_id: large.id, channel_id: channel.id, member_count: 1, online_count: 1 }
    expect((await client.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({ counts: [...counts, ofHidden] })
    client.send(16, { guild_id: large.id, channel_id: large.general, nonce: 'one' })
    expect((await client.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({ counts, nonce: 'one' })
  })

  it('is empty for a foreign guild, and for the 26th channel', async () => {
    const others = Array.from({ length: 25 }, (_, index) => String(index + 1))
    client.send(16, { guild_id: stage.found(stage.account()).id, channel_ids: [large.general] })
    client.send(16, { guild_id: large.id, channel_ids: [...others, large.general] })
    expect((await client.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({ counts: [] })
    expect((await client.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({ counts: [] })
  })

  it('reads `channel_id` unless `channel_ids` is a list, be it an empty one', async () => {
    const counts = [{ guild_id: large.id, channel_id: large.general, member_count: 301, online_count: 1 }]
    for (const channel_ids of [null, 'all', {}, []])
      client.send(16, { guild_id: large.id, channel_ids, channel_id: large.general })
    for (const answer of [counts, counts, counts, []])
      expect((await client.dispatch('CHANNEL_MEMBER_COUNTS_UPDATE')).d).toStrictEqual({ counts: answer })
  })
})
