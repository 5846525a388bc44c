import { describe, expect, it } from 'vitest'
import { bitrateCap, channelTypes, isAgeRestricted, type ChannelType } from '../../../domain/guild/channel.ts'
import { textChannelName } from '../../../domain/guild/channel-names.ts'
import type { ChannelWishes } from '../../../domain/guild/channel-commands.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { channel, everyone, home, layout } from '../../../domain/testing/people.ts'
import {
  category,
  change,
  create,
  created,
  founded,
  guardian,
  manager,
  outcomeOf,
  owner,
  remove,
  second,
  settings,
  stranger,
  text,
  voice,
  withFeatures,
} from './channel-sentences.ts'

const made = channel(9)
const refusalOf = (...args: Parameters<typeof create>) => guild.decide(fold(guild, founded), create(...args))

describe('creating a channel', () => {
  it('puts it below its siblings, with the defaults of its type', () => {
    const { find, events } = outcomeOf(founded, create({ parentId: category.id }))
    expect(find(made)).toStrictEqual({ ...text, id: made, name: 'news', position: 4 })
    expect(events).toStrictEqual([created(find(made))])
    expect(outcomeOf(founded, create({ type: channelTypes.voice })).find(made)).toMatchObject({
      voice: { bitrate: 64_000, userLimit: 0, connectionLimit: 5, rtcRegion: null },
      threads: null,
      parentId: null,
    })
  })

  it('drops what its type does not have', () => {
    const wishes: ChannelWishes = {
      topic: 'All',
      url: 'https://example.org',
      rateLimitPerUser: 5,
      bitrate: 9000,
      flags: 16,
    }
    const of = (type: ChannelType) => outcomeOf(founded, create({ ...wishes, type })).find(made)
    const nothing = { topic: null, url: null, rateLimitPerUser: 0, voice: null, forum: null }
    expect(of(channelTypes.category)).toMatchObject(nothing)
    expect(of(channelTypes.text)).toMatchObject({ ...nothing, topic: 'All', rateLimitPerUser: 5 })
    expect(of(channelTypes.link)).toMatchObject({ ...nothing, url: 'https://example.org' })
    expect(of(channelTypes.forum)).toMatchObject({
      ...nothing,
      topic: 'All',
      rateLimitPerUser: 5,
      forum: { flags: 16 },
    })
  })

  it('lower-cases and hyphenates the names of text-like channels, and no others', () => {
    const name = ' The  Big News! '
    const of = (type: ChannelType, ...features: readonly GuildFeature[]) =>
      outcomeOf([...founded, withFeatures(...features)], create({ type, name })).find(made).name
    for (const type of [channelTypes.text, channelTypes.announcement, channelTypes.forum, channelTypes.media]) {
      expect(of(type)).toBe('the-big-news')
      expect(of(type, 'TEXT_CHANNEL_FLEXIBLE_NAMES')).toBe(name)
    }
    for (const type of [channelTypes.voice, channelTypes.category, channelTypes.link]) expect(of(type)).toBe(name)
  })

  it('copies the overwrites of its category where it has none of its own', () => {
    const overwrites = [{ id: everyone, type: 0, allow: '0', deny: '1024' }] as const
    const hidden = { ...category, overwrites }
    const history = [...founded.filter((event) => event !== founded[4]), created(hidden)]
    expect(outcomeOf(history, create({ parentId: category.id })).find(made).overwrites).toStrictEqual(overwrites)
    expect(
      outcomeOf(history, create({ parentId: category.id, overwrites: [] }, guardian)).find(made).overwrites,
    ).toEqual([])
  })

  it('stores a bitrate at the cap of the guild', () => {
    const wishes = { type: channelTypes.voice, bitrate: 320_000 }
    const of = (...features: readonly GuildFeature[]) =>
      outcomeOf([...founded, withFeatures(...features)], create(wishes)).find(made).voice?.bitrate
    expect(of()).toBe(96_000)
    expect(of('AUDIO_BITRATE_128_KBPS')).toBe(128_000)
    expect(of('AUDIO_BITRATE_256_KBPS', 'AUDIO_BITRATE_128_KBPS')).toBe(256_000)
    expect(of('AUDIO_BITRATE_384_KBPS')).toBe(320_000)
    expect(bitrateCap(['AUDIO_BITRATE_384_KBPS'])).toBe(384_000)
  })

  it('is refused without MANAGE_CHANNELS, and with overwrites without MANAGE_ROLES; then the second factor', () => {
    given(guild, founded).when(create({}, stranger)).refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(create({ overwrites: [] }, manager))
      .refuses('MISSING_PERMISSIONS')
    given(guild, [...founded, settings({ mfaLevel: 1 })])
      .when(create())
      .refuses('TWO_FACTOR_REQUIRED')
    expect(outcomeOf([...founded, settings({ mfaLevel: 1 })], create({}, owner)).find(made).name).toBe('news')
    given(guild, []).when(create()).refuses('UNKNOWN_GUILD')
  })

  it.each([
    [{ parentId: channel(99) }, field('parent_id', 'INVALID_PARENT_CHANNEL')],
    [{ parentId: text.id }, field('parent_id', 'PARENT_MUST_BE_CATEGORY')],
    [{ type: channelTypes.category, parentId: category.id }, field('parent_id', 'CATEGORIES_CANNOT_HAVE_PARENTS')],
    [{ name: '!?' }, field('name', 'NAME_EMPTY_AFTER_NORMALIZATION')],
  ])('is refused for %o', (wishes, fault) => {
    given(guild, founded).when(create(wishes)).refuses('INVALID_FORM_BODY', fault)
  })

  it('is refused beyond the limits of the guild and of the category', () => {
    expect(refusalOf({}, manager, { channels_max: 5, channelsPerCategory_max: 50 })).toMatchObject({
      refusal: { code: 'MAX_GUILD_CHANNELS', details: { max_guild_channels: 5 } },
    })
    const full = { channels_max: 500, channelsPerCategory_max: 2 }
    expect(refusalOf({ parentId: category.id }, manager, full)).toMatchObject({
      refusal: { code: 'MAX_CATEGORY_CHANNELS' },
    })
    expect(refusalOf({}, manager, full)).toMatchObject({ outcome: 'accepted' })
  })
})

describe('changing a channel', () => {
  it('names the differences, before and after; nothing at all if there are none', () => {
    const data = { guildId: home, channelId: text.id, channelType: 0 } as const
    const wishes = { name: 'Talk here', topic: 'All' }
    const differing = { before: { name: text.name, topic: null }, after: { name: 'talk-here', topic: 'All' } }
    given(guild, founded)
      .when(change(text.id, wishes))
      .then({ type: 'ChannelChanged', data: { ...data, ...differing } })
    given(guild, founded)
      .when(change(text.id, {}))
      .then({ type: 'ChannelChanged', data: { ...data, before: {}, after: {} } })
  })

  it('converts between text and announcement, and nothing else', () => {
    expect(outcomeOf(founded, change(text.id, { type: 5 })).find(text.id).type).toBe(5)
    given(guild, founded)
      .when(change(text.id, { type: 2 }))
      .refuses('CHANNEL_TYPE_CONVERSION_NOT_SUPPORTED')
    given(guild, founded)
      .when(change(voice.id, { type: 0 }))
      .refuses('CHANNEL_TYPE_CONVERSION_NOT_SUPPORTED')
  })

  it('puts one with another parent below its siblings there', () => {
    const { find } = outcomeOf(founded, change(text.id, { parentId: second.parentId }))
    expect(find(text.id)).toMatchObject({ parentId: second.parentId, position: 6 })
    given(guild, founded)
      .when(change(text.id, { parentId: voice.id }))
      .refuses('INVALID_FORM_BODY', field('parent_id', 'PARENT_MUST_BE_CATEGORY'))
  })

  it('keeps a bitrate above the cap until one is written', () => {
    const loud = { ...voice, voice: { bitrate: 320_000, userLimit: 0, connectionLimit: 5, rtcRegion: null } }
    const history = [...founded.filter((event) => event !== founded[6]), created(loud)]
    expect(outcomeOf(history, change(voice.id, { userLimit: 3 })).find(voice.id).voice?.bitrate).toBe(320_000)
    expect(outcomeOf(history, change(voice.id, { bitrate: 200_000 })).find(voice.id).voice?.bitrate).toBe(96_000)
  })

  it('is refused in this order: the channel, MANAGE_CHANNELS, MANAGE_ROLES, UPDATE_RTC_REGION', () => {
    given(guild, founded)
      .when(change(channel(99), {}))
      .refuses('UNKNOWN_CHANNEL')
    given(guild, founded)
      .when(change(text.id, {}, stranger))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(change(text.id, { overwrites: [] }))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(change(voice.id, { rtcRegion: 'europe' }))
      .refuses('MISSING_PERMISSIONS')
    expect(outcomeOf(founded, change(text.id, { rtcRegion: 'europe' })).find(text.id).voice).toBeNull()
    expect(outcomeOf(founded, change(voice.id, { rtcRegion: 'europe' }, owner)).find(voice.id).voice?.rtcRegion).toBe(
      'europe',
    )
    given(guild, founded)
      .when(change(text.id, { name: '...' }))
      .refuses('INVALID_FORM_BODY', field('name', 'NAME_EMPTY_AFTER_NORMALIZATION'))
  })
})

describe('deleting a channel', () => {
  it('moves the channels of a category to the root, below the others and in their order', () => {
    const { find, events } = outcomeOf(founded, remove(category.id))
    const orphans = [text, voice].map(({ id }, index) => ({ channelId: id, position: 5 + index }))
    expect(events).toStrictEqual([{ type: 'ChannelDeleted', data: { guildId: home, channel: category, orphans } }])
    expect(find(text.id)).toStrictEqual({ ...text, parentId: null, position: 5 })
    expect(find(voice.id)).toMatchObject({ parentId: null, position: 6 })
  })

  it("clears the guild's references to it in the same append", () => {
    const named = { systemChannelId: text.id, rulesChannelId: text.id, afkChannelId: voice.id }
    const { events } = outcomeOf([...founded, settings(named)], remove(text.id))
    expect(events[1]).toStrictEqual(settings({ systemChannelId: null, rulesChannelId: null }))
  })

  it('is refused for a channel that is not there, and without MANAGE_CHANNELS in it', () => {
    given(guild, founded)
      .when(remove(channel(99)))
      .refuses('UNKNOWN_CHANNEL')
    given(guild, founded).when(remove(text.id, stranger)).refuses('MISSING_PERMISSIONS')
  })

  it('lets it be noted that the messages are gone, and not of a channel that is there', () => {
    const note = (channelId = text.id) =>
      ({ type: 'NoteMessagesRemoved', channelIds: [channelId], ofGuild: false }) as const
    given(guild, founded).when(note()).refuses('CONFLICT')
    const noted = {
      type: 'ChannelMessagesRemoved',
      data: { guildId: home, channelIds: [text.id], ofGuild: false },
    } as const
    given(guild, [...founded, ...outcomeOf(founded, remove(text.id)).events])
      .when(note())
      .then(noted)
  })
})

describe('names without TEXT_CHANNEL_FLEXIBLE_NAMES', () => {
  const free = { ...text, name: 'Big  News!' }
  const history = [
    ...founded.filter((event) => event !== founded[5]),
    created(free),
    created({ ...second, id: channel(8), type: channelTypes.forum, name: 'Help me' }),
    created({ ...second, id: channel(7), name: '???' }),
    withFeatures('TEXT_CHANNEL_FLEXIBLE_NAMES', 'BANNER'),
  ]

  it('are set right for text and announcement channels once the guild loses the feature, where something is left of them', () => {
    given(guild, history)
      .when({ type: 'SetFeatures', features: ['BANNER'] })
      .then(withFeatures('BANNER'), {
        type: 'ChannelNamesNormalised',
        data: { guildId: home, names: [{ channelId: text.id, name: 'big-news' }] },
      })
    given(guild, [...founded, withFeatures('TEXT_CHANNEL_FLEXIBLE_NAMES')])
      .when({ type: 'SetFeatures', features: [] })
      .then(withFeatures())
  })

  it.each([
    ['  A\t B  ', 'a-b'],
    ['Ünï_côde-字 😀', 'ünï_côde-字-😀'],
    [`a!"#$%&'()*+,./:;<=>?@[\\]^\`{|}~b`, 'ab'],
    ['!', ''],
    ['\u200b\u3164', ''],
    ['İ'.repeat(100), 'i̇'.repeat(50)],
  ])('turn %j into %j', (name, kept) => {
    expect(textChannelName(name)).toBe(kept)
  })
})

describe('settings that name channels', () => {
  it.each([
    ['systemChannelId', 'system_channel_id', 'SYSTEM_CHANNEL_MUST_BE_IN_GUILD'],
    ['afkChannelId', 'afk_channel_id', 'AFK_CHANNEL_MUST_BE_IN_GUILD'],
    ['rulesChannelId', 'rules_channel_id', 'INVALID_CHANNEL_ID'],
  ] as const)('name only those of the guild: %s', (setting, path, code) => {
    given(guild, founded)
      .when({ type: 'ChangeSettings', settings: { [setting]: layout.voice } })
      .then(settings({ [setting]: layout.voice }))
    given(guild, founded)
      .when({ type: 'ChangeSettings', settings: { [setting]: channel(99) } })
      .refuses('INVALID_FORM_BODY', field(path, code))
  })
})

describe('age restriction', () => {
  it("depends on the channel's own mark, and otherwise on the guild's unless the channel overrides that", () => {
    const of = (nsfw: boolean, nsfwOverride: boolean | null, ofGuild: boolean) =>
      isAgeRestricted({ nsfw, nsfwOverride }, { settings: { nsfw: ofGuild } })
    expect([of(true, null, false), of(false, null, true), of(false, true, false)]).toStrictEqual([true, true, true])
    expect([of(false, null, false), of(false, false, true)]).toStrictEqual([false, false])
  })
})
