import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../domain/guild/channel.ts'
import type { ChannelCommand, WishedOverwrite } from '../../../domain/guild/channel-commands.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { channelOverwrites_max, guildOverwrites_max } from '../../../domain/guild/overwrite-bounds.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field, type Refusal } from '../../../domain/kernel/refusal.ts'
import type { Overwrite } from '../../../domain/permissions/compute-permissions.ts'
import { account, channel } from '../../../domain/testing/people.ts'
import {
  category,
  change,
  create,
  created,
  founded,
  move,
  outcomeOf,
  owner,
  reorder,
  second,
  text,
  voice,
} from './channel-sentences.ts'

const members = (count: number, from = 0): readonly Overwrite[] =>
  Array.from({ length: count }, (_, index) => ({ id: account(from + index), type: 1, allow: '0', deny: '1024' }))
const wishes = (count: number, from = 0): readonly WishedOverwrite[] =>
  members(count, from).map(({ id }) => ({ id, type: 1, allow: 0n, deny: 1024n }))
const oneMore: WishedOverwrite = { id: account(9999), type: 1, allow: 0n, deny: 1024n }
const set = (overwrite = oneMore, channelId = text.id): ChannelCommand => ({
  type: 'SetOverwrite',
  by: owner,
  channelId,
  overwrite,
  undeclaredBits: 0n,
})
const take = (overwriteId: string): ChannelCommand => ({
  type: 'RemoveOverwrite',
  by: owner,
  channelId: text.id,
  overwriteId,
})
/** Ignores the bounds, like guilds from before them. */
const having = (channelId: Channel['id'], overwrites: readonly Overwrite[]): GuildEvent => ({
  type: 'ChannelOverwritesChanged',
  data: { guildId: created(text).data.guildId, channelId, before: [], after: overwrites, synced: [] },
})
const filler = (number: number, overwrites: readonly Overwrite[]): GuildEvent =>
  created({ ...second, id: channel(100 + number), parentId: null, position: 100 + number, overwrites })

const refusedBy = (history: readonly GuildEvent[], command: ChannelCommand): Refusal | undefined => {
  const decision = guild.decide(fold(guild, history), command)
  return decision.outcome === 'refused' ? decision.refusal : undefined
}
const tooMany = (details: object, path = 'permission_overwrites') => ({
  code: 'INVALID_FORM_BODY',
  fields: [field(path, 'TOO_LARGE')],
  details,
})
const inChannel = tooMany({ max_channel_overwrites: channelOverwrites_max })
const inGuild = tooMany({ max_guild_overwrites: guildOverwrites_max })

describe(`the bound of ${channelOverwrites_max} overwrites a channel`, () => {
  const full = [...founded, having(text.id, members(channelOverwrites_max))]

  it('is met by a channel that has so many', () => {
    const almost = [...founded, having(text.id, members(channelOverwrites_max - 1))]
    expect(outcomeOf(almost, set()).find(text.id).overwrites).toHaveLength(channelOverwrites_max)
    const all = { overwrites: wishes(channelOverwrites_max) }
    expect(outcomeOf(founded, change(text.id, all, owner)).find(text.id).overwrites).toHaveLength(100)
    expect(outcomeOf(founded, create(all, owner)).find(channel(9)).overwrites).toHaveLength(100)
  })

  it('is held by Set overwrite, Modify and Create channel', () => {
    expect(refusedBy(full, set())).toEqual(inChannel)
    const oneTooMany = { overwrites: wishes(channelOverwrites_max + 1) }
    expect(refusedBy(founded, change(text.id, oneTooMany, owner))).toEqual(inChannel)
    expect(refusedBy(founded, create(oneTooMany, owner))).toEqual(inChannel)
  })

  it('lets existing ones be written and removed', () => {
    expect(outcomeOf(full, set({ ...oneMore, id: account(3) })).events).toHaveLength(1)
    expect(outcomeOf(full, take(account(3))).find(text.id).overwrites).toHaveLength(channelOverwrites_max - 1)
  })

  it('keeps the overwrites of a channel from before the bound, and accepts writes that add none', () => {
    const older = [...founded, having(text.id, members(300))]
    expect(refusedBy(older, set())).toEqual(inChannel)
    expect(outcomeOf(older, set({ ...oneMore, id: account(3) })).find(text.id).overwrites).toHaveLength(300)
    expect(outcomeOf(older, take(account(3))).find(text.id).overwrites).toHaveLength(299)
    const fewer = change(text.id, { overwrites: wishes(200) }, owner)
    expect(outcomeOf(older, fewer).find(text.id).overwrites).toHaveLength(200)
  })

  it('is held where a channel takes over the overwrites of a category from before it', () => {
    const older = [...founded, having(category.id, members(300))]
    expect(refusedBy(older, create({ parentId: category.id }, owner))).toEqual(inChannel)
    expect(outcomeOf(older, create({ parentId: category.id, overwrites: [] }, owner)).events).toHaveLength(1)
    const locked = reorder([move(text.id, {}, false), move(voice.id, {}, true)], owner)
    expect(refusedBy(older, locked)).toEqual({ ...inChannel, fields: [field('1.lock_permissions', 'TOO_LARGE')] })
  })
})

describe(`the bound of ${guildOverwrites_max} overwrites a guild`, () => {
  /** This many are left. */
  const guildWith = (left: number): readonly GuildEvent[] => [
    ...founded,
    ...Array.from({ length: 49 }, (_, index) => filler(index, members(100))),
    filler(49, members(100 - left)),
  ]

  it('is met by a guild that has so many', () => {
    expect(outcomeOf(guildWith(1), set()).events).toHaveLength(1)
    expect(outcomeOf(guildWith(7), create({ overwrites: wishes(7) }, owner)).events).toHaveLength(1)
  })

  it('is held by Set overwrite, Modify and Create channel', () => {
    expect(refusedBy(guildWith(0), set())).toEqual(inGuild)
    expect(refusedBy(guildWith(7), change(text.id, { overwrites: wishes(8) }, owner))).toEqual(inGuild)
    expect(refusedBy(guildWith(7), create({ overwrites: wishes(8) }, owner))).toEqual(inGuild)
  })

  it('counts each channel that follows its category, or takes over what that has', () => {
    // The text and the voice channel have the overwrites of their category.
    expect(outcomeOf(guildWith(3), set(oneMore, category.id)).events).toMatchObject([
      { data: { synced: [text.id, voice.id] } },
    ])
    expect(refusedBy(guildWith(2), set(oneMore, category.id))).toEqual(inGuild)
    expect(refusedBy(guildWith(14), change(category.id, { overwrites: wishes(5) }, owner))).toEqual(inGuild)
    const apart = [...guildWith(12), having(category.id, members(7))]
    expect(refusedBy(apart, create({ parentId: category.id }, owner))).toEqual(inGuild)
    const locked = reorder([move(text.id, {}, true)], owner)
    expect(refusedBy(apart, locked)).toEqual({ ...inGuild, fields: [field('0.lock_permissions', 'TOO_LARGE')] })
    expect(outcomeOf([...guildWith(14), having(category.id, members(7))], locked).events).toHaveLength(1)
  })

  it('counts the moves of one request together', () => {
    const apart = [...guildWith(20), having(category.id, members(7))]
    const locked = reorder([move(text.id, {}, true), move(voice.id, {}, true)], owner)
    expect(refusedBy(apart, locked)).toEqual({ ...inGuild, fields: [field('1.lock_permissions', 'TOO_LARGE')] })
  })

  it('takes writes that add none in a guild from before it', () => {
    const older = [...guildWith(0), having(text.id, members(300))]
    expect(outcomeOf(older, take(account(3))).events).toHaveLength(1)
    expect(outcomeOf(older, set({ ...oneMore, id: account(3) })).events).toHaveLength(1)
    expect(refusedBy(older, set(oneMore, second.id))).toEqual(inGuild)
  })

  it('releases the overwrites of a deleted channel', () => {
    const freed = outcomeOf(guildWith(0), { type: 'DeleteChannel', by: owner, channelId: channel(100) }).events
    expect(outcomeOf([...guildWith(0), ...freed], set()).events).toHaveLength(1)
  })
})

describe('a request that moves many channels', () => {
  const channels = (count: number): readonly GuildEvent[] => [
    ...founded,
    ...Array.from({ length: count }, (_, index) => filler(index, [])),
  ]
  const turnedRound = (count: number): ChannelCommand =>
    reorder(
      Array.from({ length: count }, (_, index) => move(channel(100 + index), { precedingSiblingId: null })),
      owner,
    )

  it('is recorded as one event of their places, however many they are', () => {
    const { events } = outcomeOf(channels(490), turnedRound(490))
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events).length).toBeLessThan(64 * 1024)
  })

  it('is refused with TOO_LARGE where it copies more overwrites than a store takes at once, and moves none', () => {
    const groups = [0, 1, 2, 3].map((number) => ({
      ...category,
      id: channel(60 + number),
      position: 60 + number,
      overwrites: members(channelOverwrites_max, 500),
    }))
    const old = (count: number): readonly GuildEvent[] => [
      ...founded,
      ...groups.map((group) => created(group)),
      ...Array.from({ length: count }, (_, index) => filler(index, members(channelOverwrites_max))),
    ]
    const synced = (count: number): ChannelCommand =>
      reorder(
        Array.from({ length: count }, (_, index) =>
          move(channel(100 + index), { parentId: groups[index % groups.length]?.id ?? null }, true),
        ),
        owner,
      )
    expect(refusedBy(old(45), synced(45))).toBeUndefined()
    expect(refusedBy(old(150), synced(150))).toMatchObject({
      code: 'INVALID_FORM_BODY',
      fields: [{ path: '149', code: 'TOO_LARGE' }],
    })
  })
})
