import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelTypes, defaultVoice, emptyForum, type Channel } from '../../domain/guild/channel.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { guildsProjection } from '../../projections/guilds/projector.ts'
import { guildQueries } from '../../projections/guilds/queries.ts'
import { unfinishedProjection } from '../../projections/unfinished/projector.ts'
import { unfinishedQueries } from '../../projections/unfinished/queries.ts'
import {
  account,
  channel,
  created,
  guild,
  role,
  someChannel,
  someRole,
  withChannel,
  withRole,
} from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([guildsProjection, unfinishedProjection])
})
afterAll(() => the.close())

const channelsOf = async (number: number): Promise<readonly Channel[]> =>
  (await guildQueries(the.database).find(guild(number)))?.channels ?? []
const future = timestamp(Date.UTC(2030, 0, 1))
const open = async () =>
  (await unfinishedQueries(the.database).before(future, 100))
    .filter(({ process }) => process.endsWith('_messages'))
    .map(({ process, key }) => `${process} ${key}`)

describe('the channels of a guild', () => {
  it('are found with all their data', async () => {
    const voice = { ...someChannel(12, 1), type: channelTypes.voice, voice: { ...defaultVoice, rtcRegion: 'europe' } }
    const tag = { id: snowflake('7'), name: 'Solved', moderated: true, emojiId: null, emojiName: '✅' }
    const forum = {
      ...someChannel(13, 2),
      type: channelTypes.forum,
      url: 'https://example.org',
      nsfwOverride: false,
      contentWarningText: 'Loud',
      threads: { autoArchiveDuration: 60, rateLimitPerUser: 5 },
      forum: { ...emptyForum, availableTags: [tag], defaultReactionEmoji: { emojiId: null, emojiName: '👍' } },
    }
    await happens(created(1), withRole(1, someRole(1, 0)), withChannel(1, voice), withChannel(1, forum))
    expect(await channelsOf(1)).toStrictEqual([voice, forum])
    expect(await guildQueries(the.database).channelNamesOf([voice.id])).toStrictEqual([
      { id: voice.id, name: voice.name, type: 2, guildId: guild(1) },
    ])
  })

  it('change with their events', async () => {
    const [first, second] = [someChannel(21, 1), someChannel(22, 2)]
    const overwrites = [{ id: account(1), type: 1, allow: '1024', deny: '0' }] as const
    const of = { guildId: guild(2), channelId: first.id }
    await happens(
      created(2),
      withRole(2, someRole(1, 0)),
      withChannel(2, first),
      withChannel(2, second),
      { type: 'ChannelChanged', data: { ...of, channelType: 5, before: {}, after: { type: 5, topic: 'All' } } },
      { type: 'ChannelChanged', data: { ...of, channelType: 5, before: {}, after: {} } },
      { type: 'ChannelOverwritesChanged', data: { ...of, before: [], after: overwrites, synced: [second.id] } },
      { type: 'ChannelNamesNormalised', data: { guildId: guild(2), names: [{ channelId: first.id, name: 'first' }] } },
    )
    const changed = { ...first, type: channelTypes.announcement, topic: 'All', overwrites, name: 'first' }
    expect(await channelsOf(2)).toStrictEqual([changed, { ...second, overwrites }])
    const positions = [
      { channelId: second.id, position: 1 },
      { channelId: first.id, position: 2 },
    ]
    const move = { ...of, parentId: second.id, positions, overwrites: first.overwrites }
    await happens({ type: 'ChannelMoved', data: move })
    expect(await channelsOf(2)).toStrictEqual([
      { ...second, overwrites, position: 1 },
      { ...changed, overwrites: first.overwrites, position: 2, parentId: second.id },
    ])
    const moved = [{ channelId: first.id, parentId: null, overwrites }]
    await happens({
      type: 'ChannelsReordered',
      data: { guildId: guild(2), positions: [{ channelId: first.id, position: 3 }], moved },
    })
    expect(await channelsOf(2)).toStrictEqual([
      { ...second, overwrites, position: 1 },
      { ...changed, position: 3, parentId: null },
    ])
    await happens({
      type: 'ChannelsReordered',
      data: { guildId: guild(2), positions, moved: [{ channelId: first.id, parentId: second.id, overwrites: null }] },
    })
    expect(await channelsOf(2)).toStrictEqual([
      { ...second, overwrites, position: 1 },
      { ...changed, position: 2, parentId: second.id },
    ])
    const orphans = [{ channelId: first.id, position: 7 }]
    await happens({ type: 'ChannelDeleted', data: { guildId: guild(2), channel: second, orphans } })
    expect(await channelsOf(2)).toMatchObject([{ id: first.id, parentId: null, position: 7 }])
  })

  it('have no overwrites of roles that the guild does not have', async () => {
    const overwrites = [role(1), role(9)].map((id) => ({ id, type: 0, allow: '0', deny: '0' }) as const)
    await happens(created(3), withRole(3, someRole(1, 0)), withChannel(3, { ...someChannel(31, 0), overwrites }))
    expect(await channelsOf(3)).toMatchObject([{ overwrites: [{ id: role(1) }] }])
  })
})

describe('the messages of deleted channels', () => {
  it('are unfinished until their deletion is recorded', async () => {
    const gone = (number: number): AnyEvent => ({
      type: 'ChannelDeleted',
      data: { guildId: guild(4), channel: someChannel(number, 0), orphans: [] },
    })
    const noted = (ofGuild: boolean, ...numbers: readonly number[]): AnyEvent => ({
      type: 'ChannelMessagesRemoved',
      data: { guildId: guild(4), channelIds: numbers.map(channel), ofGuild },
    })
    await happens(created(4), gone(41), gone(42))
    expect(await open()).toContain(`channel_messages ${channel(41)}`)
    await happens({ type: 'GuildDeleted', data: { guildId: guild(4), ownerId: account(1), channelIds: [channel(43)] } })
    expect(await open()).toStrictEqual(
      expect.arrayContaining([`channel_messages ${channel(41)}`, `guild_messages ${guild(4)}`]),
    )
    await happens(noted(false, 41))
    expect(await open()).not.toContain(`channel_messages ${channel(41)}`)
    expect(await open()).toContain(`guild_messages ${guild(4)}`)
    await happens(noted(true, 43), noted(false, 42))
    expect((await open()).filter((step) => /4[123]|guild_messages/.test(step))).toStrictEqual([])
  })
})
