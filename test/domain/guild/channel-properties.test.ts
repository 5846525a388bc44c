import { describe, expect } from 'vitest'
import { channelTypes, type Channel } from '../../../domain/guild/channel.ts'
import { hasVoiceAboveText, inHierarchy, siblingsIn } from '../../../domain/guild/channel-order.ts'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import { changedBits } from '../../../domain/guild/decisions/channels/written-overwrites.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import type { Guild, GuildState } from '../../../domain/guild/state.ts'
import { holdsAll } from '../../../domain/permissions/authority.ts'
import { histories, play, type History } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import fc from 'fast-check'
import { guildCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { channelCommands } from '../../../domain/testing/commands/channel-arbitraries.ts'
import { ada, home, homeLayout, start } from '../../../domain/testing/people.ts'

type GuildHistory = History<GuildState, GuildCommand, GuildEvent>

const create: GuildCommand = {
  type: 'CreateGuild',
  guildId: home,
  name: 'Home',
  ownerId: ada,
  features: [],
  layout: homeLayout,
  now: start,
}

/** Histories of an existing guild, mostly about channels. */
const ofChannels: fc.Arbitrary<GuildHistory> = fc
  .array(channelCommands, { maxLength: 40, size: 'max' })
  .map((commands) => play(guild, [create, ...commands]))
const anything: fc.Arbitrary<GuildHistory> = fc.oneof(ofChannels, histories(guild, guildCommands))

/** Every state of the guild in a history. */
function passed({ steps }: GuildHistory): readonly Guild[] {
  return steps.flatMap(({ after }) => (after.status === 'active' ? [after] : []))
}

describe('after any history', () => {
  property('parents are categories of the guild, and no category has one', anything, (history) => {
    for (const { channels } of passed(history)) {
      const categories = channels.filter(({ type }) => type === channelTypes.category)
      for (const { type, parentId } of channels) {
        if (parentId === null) continue
        expect(type).not.toBe(channelTypes.category)
        expect(categories.map(({ id }) => id)).toContain(parentId)
      }
    }
  })

  property('nothing refers to a channel that is not there', anything, (history) => {
    for (const { channels, settings } of passed(history)) {
      const ids: readonly (string | null)[] = [null, ...channels.map(({ id }) => id)]
      for (const named of [settings.systemChannelId, settings.rulesChannelId, settings.afkChannelId])
        expect(ids).toContain(named)
    }
  })

  property(
    'each channel stands once in the hierarchy, no voice channel above a text channel beside it',
    anything,
    (history) => {
      for (const { channels } of passed(history)) {
        const order = inHierarchy(channels)
        expect(idsOf(order).toSorted()).toStrictEqual(idsOf(channels).toSorted())
        for (const parentId of [null, ...idsOf(channels)])
          expect(hasVoiceAboveText(siblingsIn(channels, parentId))).toBe(false)
      }
    },
  )

  property(
    'positions are dense from 1 in the order of the hierarchy once a channel has moved',
    ofChannels,
    ({ steps }) => {
      for (const { after, events } of steps) {
        const last = events.at(-1)
        if (after.status !== 'active' || last?.type !== 'ChannelsReordered' || last.data.positions.length === 0)
          continue
        expect(inHierarchy(after.channels).map(({ position }) => position)).toStrictEqual(
          after.channels.map((_, index) => index + 1),
        )
      }
    },
  )

  property('moves of one request come to what they come to one after another', ofChannels, ({ steps }) => {
    for (const { command, before, after, events } of steps) {
      if (command.type !== 'ReorderChannels' || after.status !== 'active' || events.length === 0) continue
      let state = before
      for (const move of command.moves) {
        const decision = guild.decide(state, { ...command, moves: [move] })
        if (decision.outcome === 'accepted') state = fold(guild, decision.events, state)
      }
      expect(state.status === 'active' && state.channels).toStrictEqual(after.channels)
    }
  })

  property('no guild and no category holds more than its limit when a channel comes', ofChannels, ({ steps }) => {
    for (const { command, after, events } of steps) {
      if (events.length === 0 || after.status !== 'active' || !('limits' in command)) continue
      if (command.type === 'CreateChannel')
        expect(after.channels.length).toBeLessThanOrEqual(command.limits.channels_max)
    }
  })

  property('a channel has one overwrite for each id, and only what its type has', anything, (history) => {
    for (const { channels } of passed(history)) {
      for (const { overwrites, type, voice, forum, url } of channels) {
        expect(new Set(overwrites.map(({ id }) => id)).size).toBe(overwrites.length)
        expect(voice !== null).toBe(type === channelTypes.voice)
        expect(forum !== null).toBe(type === channelTypes.forum || type === channelTypes.media)
        if (type !== channelTypes.link) expect(url).toBeNull()
      }
    }
  })
})

property('nobody changes a bit of an overwrite that they do not hold in the channel', ofChannels, ({ steps }) => {
  for (const { before, command, events } of steps) {
    if (before.status !== 'active' || !('by' in command) || typeof command.by === 'string') continue
    for (const event of events) {
      if (event.type !== 'ChannelOverwritesChanged') continue
      const { data } = event
      expect(holdsAll(before, command.by, changedBits(data.before, data.after), data.before)).toBe(true)
    }
  }
})

function idsOf(channels: readonly Channel[]): readonly Channel['id'][] {
  return channels.map(({ id }) => id)
}
