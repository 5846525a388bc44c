import { describe, expect, it } from 'vitest'
import { channelTypes, takesInvites, type Channel } from '../../../domain/guild/channel.ts'
import type { ChangeSettings, CreateGuild } from '../../../domain/guild/commands.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { initialFeatures, type GuildFeature } from '../../../domain/guild/features.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { initialSettings, isUnavailable } from '../../../domain/guild/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { guildCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { ada, everyone, grace, home, homeLayout, layout, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('guild', guildCommands)

const create: CreateGuild = {
  type: 'CreateGuild',
  guildId: home,
  name: 'Home',
  ownerId: ada,
  features: initialFeatures,
  layout: homeLayout,
  now: start,
}

const plain = {
  overwrites: [],
  topic: null,
  url: null,
  nsfw: false,
  nsfwOverride: null,
  contentWarningLevel: 0,
  contentWarningText: null,
  rateLimitPerUser: 0,
  voice: null,
  threads: null,
  forum: null,
}
const textCategory: Channel = {
  ...plain,
  id: layout.textCategory,
  type: 4,
  name: 'Text Channels',
  position: 0,
  parentId: null,
}
const voiceCategory: Channel = {
  ...plain,
  id: layout.voiceCategory,
  type: 4,
  name: 'Voice Channels',
  position: 1,
  parentId: null,
}
const general: Channel = {
  ...plain,
  id: layout.text,
  type: 0,
  name: 'general',
  position: 0,
  parentId: layout.textCategory,
  threads: { autoArchiveDuration: 4320, rateLimitPerUser: 0 },
}
const voice: Channel = {
  ...plain,
  id: layout.voice,
  type: 2,
  name: 'General',
  position: 0,
  parentId: layout.voiceCategory,
  voice: { bitrate: 64_000, userLimit: 0, connectionLimit: 5, rtcRegion: null },
}
const everyoneRole = {
  id: everyone,
  name: '@everyone',
  /** The default set of everyone, 8933636165185, with bits 35, 36, 38 and 54. */
  permissions: '18023710102769217',
  position: 0,
  color: 0,
  hoist: false,
  hoistPosition: null,
  mentionable: false,
  unicodeEmoji: null,
}

const founded: readonly [GuildEvent, ...GuildEvent[]] = [
  {
    type: 'GuildCreated',
    data: { guildId: home, name: 'Home', ownerId: ada, features: initialFeatures, createdAt: start },
  },
  { type: 'RoleCreated', data: { guildId: home, role: everyoneRole, founding: true } },
  { type: 'ChannelCreated', data: { guildId: home, channel: textCategory, founding: true } },
  { type: 'ChannelCreated', data: { guildId: home, channel: voiceCategory, founding: true } },
  { type: 'ChannelCreated', data: { guildId: home, channel: general, founding: true } },
  { type: 'ChannelCreated', data: { guildId: home, channel: voice, founding: true } },
  { type: 'GuildSettingsChanged', data: { guildId: home, settings: { systemChannelId: layout.text } } },
]
const deleted: GuildEvent = {
  type: 'GuildDeleted',
  data: {
    guildId: home,
    ownerId: ada,
    channelIds: [layout.textCategory, layout.voiceCategory, layout.text, layout.voice],
  },
}

const remove = (by = ada) => ({ type: 'DeleteGuild', by }) as const
const change = (settings: ChangeSettings['settings']) => ({ type: 'ChangeSettings', settings }) as const
const set = (...features: readonly GuildFeature[]) => ({ type: 'SetFeatures', features }) as const
const changed = (settings: ChangeSettings['settings']): GuildEvent => ({
  type: 'GuildSettingsChanged',
  data: { guildId: home, settings },
})
const featured = (...features: readonly GuildFeature[]): GuildEvent => ({
  type: 'GuildFeaturesChanged',
  data: { guildId: home, features },
})

describe('creating a guild', () => {
  it("gives it everyone's role, the default layout, and general as its system channel", () => {
    given(guild, [])
      .when(create)
      .then(...founded)
  })

  it('starts with the registries at 0 and an afk_timeout of 300 seconds', () => {
    const state = fold(guild, founded)
    expect(state).toStrictEqual({
      status: 'active',
      id: home,
      name: 'Home',
      ownerId: ada,
      features: ['ANIMATED_ICON', 'ANIMATED_BANNER', 'BANNER', 'INVITE_SPLASH'],
      settings: { ...initialSettings, systemChannelId: layout.text, afkTimeout: 300 },
      createdAt: start,
      roles: [everyoneRole],
      channels: [textCategory, voiceCategory, general, voice],
    })
  })

  it('accepts each feature once, and none if empty_features asks for it', () => {
    const [first] = founded
    expect(first.type).toBe('GuildCreated')
    const twice: CreateGuild = { ...create, features: ['BANNER', 'BANNER'] }
    const state = fold(guild, eventsOf(twice))
    expect(state).toMatchObject({ features: ['BANNER'] })
    expect(fold(guild, eventsOf({ ...create, features: [] }))).toMatchObject({ features: [] })
  })

  it('is done once, however often it is asked for', () => {
    given(guild, founded).when(create).changesNothing()
    given(guild, [...founded, changed({ nsfw: true })])
      .when(create)
      .changesNothing()
  })

  it('never happens on the id of another guild, also once that one is deleted', () => {
    given(guild, founded)
      .when({ ...create, ownerId: grace })
      .refuses('CONFLICT')
    given(guild, founded)
      .when({ ...create, now: secondsAfter(start, 1) })
      .refuses('CONFLICT')
    given(guild, [...founded, deleted])
      .when(create)
      .refuses('CONFLICT')
  })
})

describe('deleting a guild', () => {
  it("is the owner's to do", () => {
    given(guild, founded).when(remove()).then(deleted)
    given(guild, founded).when(remove(grace)).refuses('MISSING_PERMISSIONS')
  })

  it('is refused where there is no guild', () => {
    given(guild, []).when(remove()).refuses('UNKNOWN_GUILD')
    given(guild, [...founded, deleted])
      .when(remove())
      .refuses('UNKNOWN_GUILD')
    given(guild, [...founded, deleted])
      .when(remove(grace))
      .refuses('UNKNOWN_GUILD')
  })
})

describe('changing settings', () => {
  it('tells of those that differ alone', () => {
    given(guild, founded)
      .when(change({ afkTimeout: 60 }))
      .then(changed({ afkTimeout: 60 }))
    given(guild, founded)
      .when(change({ afkTimeout: 300, nsfw: true, icon: null, systemChannelId: null }))
      .then(changed({ nsfw: true, systemChannelId: null }))
  })

  it('changes nothing where none differs', () => {
    given(guild, founded).when(change({})).changesNothing()
    given(guild, founded)
      .when(change({ afkTimeout: 300, systemChannelId: layout.text }))
      .changesNothing()
  })

  it('is refused where there is no guild', () => {
    given(guild, [])
      .when(change({ nsfw: true }))
      .refuses('UNKNOWN_GUILD')
    given(guild, [...founded, deleted])
      .when(change({ nsfw: true }))
      .refuses('UNKNOWN_GUILD')
  })
})

describe('setting features', () => {
  it('keeps each at most once', () => {
    given(guild, founded)
      .when(set('VANITY_URL', 'BANNER', 'VANITY_URL'))
      .then(featured('VANITY_URL', 'BANNER'))
    given(guild, founded).when(set()).then(featured())
  })

  it('changes nothing for the same features in another order', () => {
    const again = initialFeatures.toReversed()
    given(guild, founded)
      .when(set(...again))
      .changesNothing()
    given(guild, founded)
      .when(set(...again, ...again))
      .changesNothing()
  })

  it('is refused where there is no guild', () => {
    given(guild, []).when(set('BANNER')).refuses('UNKNOWN_GUILD')
    given(guild, [...founded, deleted])
      .when(set('BANNER'))
      .refuses('UNKNOWN_GUILD')
  })
})

describe('in whatever happens to a guild', () => {
  const lives = histories(guild, guildCommands)

  property('every event of changed settings or features changes what it names', lives, ({ steps }) => {
    for (const { events, before, after } of steps) {
      for (const event of events) {
        if (event.type === 'GuildFeaturesChanged') expect(after).not.toStrictEqual(before)
        if (event.type !== 'GuildSettingsChanged' || before.status !== 'active') continue
        expect(Object.keys(event.data.settings)).not.toHaveLength(0)
        expect({ ...before.settings, ...event.data.settings }).not.toStrictEqual(before.settings)
        for (const [name, value] of Object.entries(event.data.settings)) {
          expect(Object.entries(before.settings)).not.toContainEqual([name, value])
        }
      }
    }
  })

  property('each feature is held at most once', lives, ({ state }) => {
    if (state.status !== 'active') return
    expect(new Set(state.features).size).toBe(state.features.length)
  })

  property('of its members its owner alone deletes it, and the instance always may', lives, ({ steps }) => {
    for (const { before, command, decision } of steps) {
      if (command.type !== 'DeleteGuild' || before.status !== 'active') continue
      expect(decision.outcome === 'accepted').toBe(command.by === before.ownerId || command.by === 'instance')
    }
  })

  it('ignores events of a deleted guild', () => {
    const gone = fold(guild, [...founded, deleted])
    expect(fold(guild, [...founded.slice(1), featured('BANNER')], gone)).toStrictEqual(gone)
  })
})

describe('an unavailable guild', () => {
  it('is out of reach for everyone, or for everyone but staff', () => {
    expect(isUnavailable({ features: [] }, false)).toBe(false)
    expect(isUnavailable({ features: ['UNAVAILABLE_FOR_EVERYONE'] }, true)).toBe(true)
    expect(isUnavailable({ features: ['UNAVAILABLE_FOR_EVERYONE_BUT_STAFF'] }, false)).toBe(true)
    expect(isUnavailable({ features: ['UNAVAILABLE_FOR_EVERYONE_BUT_STAFF'] }, true)).toBe(false)
  })
})

describe('a channel', () => {
  it('takes invites unless it is a forum or a media channel', () => {
    const refusing = Object.values(channelTypes).filter((type) => !takesInvites({ ...general, type }))
    expect(refusing).toStrictEqual([channelTypes.forum, channelTypes.media])
  })
})

function eventsOf(command: CreateGuild): readonly GuildEvent[] {
  const decision = guild.decide(guild.initial, command)
  return decision.outcome === 'accepted' ? decision.events : []
}
