import { describe, expect, it } from 'vitest'
import { channelTypes } from '../../../domain/guild/channel.ts'
import { inHierarchy } from '../../../domain/guild/channel-order.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { channel, everyone, home } from '../../../domain/testing/people.ts'
import {
  category,
  created,
  founded,
  guardian,
  limits,
  manager,
  move,
  other,
  outcomeOf,
  reorder,
  second,
  stranger,
  text,
  voice,
} from './channel-sentences.ts'

const third = { ...second, id: channel(6), position: 6 }
const history = [...founded, created(third)]
const orderAfter = (...moves: Parameters<typeof reorder>[0]) =>
  inHierarchy(outcomeOf(history, reorder(moves)).channels).map(({ id }) => id)
const placeBefore = new Map([category, text, voice, other, second, third].map(({ id, position }) => [id, position]))
const start = [category, text, voice, other, second, third].map(({ id }) => id)
const ids = (...channels: readonly { readonly id: unknown }[]) => channels.map(({ id }) => id)

describe('moving channels', () => {
  it('puts one right below the sibling that is named, or above all of them', () => {
    expect(orderAfter(move(second.id, { precedingSiblingId: third.id }))).toStrictEqual(
      ids(category, text, voice, other, third, second),
    )
    expect(orderAfter(move(third.id, { precedingSiblingId: null }))).toStrictEqual(
      ids(category, text, voice, other, third, second),
    )
    expect(orderAfter(move(other.id, { precedingSiblingId: null }))).toStrictEqual(
      ids(other, second, third, category, text, voice),
    )
  })

  it('counts a position among siblings from 0, and takes the last one where it lies beyond', () => {
    expect(orderAfter(move(third.id, { position: 0 }))).toStrictEqual(ids(category, text, voice, other, third, second))
    expect(orderAfter(move(second.id, { position: 70 }))).toStrictEqual(
      ids(category, text, voice, other, third, second),
    )
  })

  it('puts one with another parent below its siblings there, above voice; to the root with null', () => {
    expect(orderAfter(move(second.id, { parentId: category.id }))).toStrictEqual(
      ids(category, text, second, voice, other, third),
    )
    expect(orderAfter(move(second.id, { parentId: null }))).toStrictEqual(
      ids(category, text, voice, other, third, second),
    )
  })

  it('leaves positions that are dense from 1, with one event for all moves', () => {
    const moves = [move(third.id, { position: 0 }), move(text.id, {}), move(voice.id, { parentId: null })]
    const { channels, events } = outcomeOf(history, reorder(moves))
    expect(inHierarchy(channels).map(({ position }) => position)).toStrictEqual([1, 2, 3, 4, 5, 6])
    expect(events).toStrictEqual([
      {
        type: 'ChannelsReordered',
        data: {
          guildId: home,
          positions: channels
            .filter(({ id, position }) => position !== placeBefore.get(id))
            .map(({ id: channelId, position }) => ({ channelId, position })),
          moved: [{ channelId: voice.id, parentId: null, overwrites: null }],
        },
      },
    ])
  })

  it('records nothing where later moves undo the earlier ones', () => {
    const moves = [move(third.id, { position: 0 }), move(third.id, { position: 1 })]
    expect(outcomeOf(history, reorder(moves)).events).toStrictEqual([])
  })

  it('turns 490 channels by 7 with one event of their places', () => {
    const many = Array.from({ length: 490 }, (_, index) => ({
      ...text,
      id: channel(100 + index),
      parentId: null,
      position: index + 10,
    }))
    const first = [...many.slice(7), ...many.slice(0, 7)].map(({ id }, index) => move(id, { position: index }))
    const { events, channels } = outcomeOf([...history, ...many.map((each) => created(each))], reorder(first))
    expect(events.map(({ type }) => type)).toStrictEqual(['ChannelsReordered'])
    expect(
      inHierarchy(channels)
        .map(({ id }) => id)
        .filter((id) => many.some((each) => each.id === id))
        .at(0),
    ).toBe(many[7]?.id)
  })

  it('takes over the overwrites of the category where it is asked to, and the actor may write them', () => {
    const overwrites = [{ id: everyone, type: 0, allow: '0', deny: '1' }] as const
    const apart = [...history.filter((event) => event !== founded[7]), created({ ...other, overwrites })]
    const moves = [move(second.id, {}, true)]
    expect(outcomeOf(apart, reorder(moves, guardian)).find(second.id)).toStrictEqual({ ...second, overwrites })
    given(guild, apart).when(reorder(moves, manager)).refuses('MISSING_PERMISSIONS')
    expect(outcomeOf(history, reorder(moves, manager)).events).toHaveLength(0)
  })

  it.each([
    [move(channel(99), {}), field('1.id', 'CHANNEL_NOT_FOUND')],
    [move(text.id, { precedingSiblingId: channel(99) }), field('1.preceding_sibling_id', 'INVALID_CHANNEL_ID')],
    [
      move(text.id, { precedingSiblingId: text.id }),
      field('1.preceding_sibling_id', 'CANNOT_POSITION_CHANNEL_RELATIVE_TO_ITSELF'),
    ],
    [
      move(text.id, { precedingSiblingId: second.id }),
      field('1.preceding_sibling_id', 'PRECEDING_CHANNEL_MUST_SHARE_PARENT'),
    ],
    [
      move(text.id, { precedingSiblingId: voice.id }),
      field('1.preceding_sibling_id', 'VOICE_CHANNELS_CANNOT_BE_ABOVE_TEXT_CHANNELS'),
    ],
    [move(voice.id, { position: 0 }), field('1.position', 'VOICE_CHANNELS_CANNOT_BE_ABOVE_TEXT_CHANNELS')],
    [move(text.id, { parentId: channel(99) }), field('1.parent_id', 'INVALID_PARENT_CHANNEL')],
    [move(text.id, { parentId: voice.id }), field('1.parent_id', 'PARENT_MUST_BE_CATEGORY')],
    [move(other.id, { parentId: category.id }), field('1.parent_id', 'CATEGORIES_CANNOT_HAVE_PARENTS')],
  ])('is refused as a whole where one move can not be: %o', (wrong, fault) => {
    given(guild, history)
      .when(reorder([move(third.id, { position: 0 }), wrong]))
      .refuses('INVALID_FORM_BODY', fault)
    expect(inHierarchy([category, text, voice, other, second, third]).map(({ id }) => id)).toStrictEqual(start)
  })

  it('is refused without MANAGE_CHANNELS, and into a category that is full', () => {
    given(guild, history).when(reorder([], stranger)).refuses('MISSING_PERMISSIONS')
    const full = { ...limits, channelsPerCategory_max: 2 }
    const into = reorder([move(second.id, { parentId: category.id })], manager, full)
    expect(guild.decide(fold(guild, history), into)).toMatchObject({ refusal: { code: 'MAX_CATEGORY_CHANNELS' } })
    expect(outcomeOf(history, reorder([move(second.id, { position: 1 })], manager, full)).events).toHaveLength(1)
  })

  it('stands voice below the others at the root too', () => {
    const root = [...history, created({ ...voice, id: channel(7), parentId: null, position: 0 })]
    const { channels } = outcomeOf(root, reorder([move(other.id, { precedingSiblingId: null })]))
    expect(inHierarchy(channels).at(-1)).toMatchObject({ type: channelTypes.voice, position: 7 })
  })
})
