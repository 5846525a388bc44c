import { describe, expect, it } from 'vitest'
import type { ExpressionActor, GuildExpressionsCommand } from '../../../domain/guild-expressions/commands.ts'
import type { GuildExpressionsEvent } from '../../../domain/guild-expressions/events.ts'
import { guildExpressions } from '../../../domain/guild-expressions/guild-expressions.ts'
import type { Emoji, Sticker } from '../../../domain/guild-expressions/state.ts'
import { emojiId, stickerId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { guildExpressionsCommands } from '../../../domain/testing/commands/guild-expressions-commands.ts'
import { ada, grace, home } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'
import { property } from '../../support/property.ts'

laws('guildExpressions', guildExpressionsCommands)

const still = { animated: false, image: '0123456789abcdef0123456789abcdef' }
const emoji = (number: number): Emoji => ({
  id: emojiId(snowflake(`60000${number}`)),
  name: 'wave',
  creatorId: ada,
  ...still,
})
const sticker = (number: number): Sticker => ({
  id: stickerId(snowflake(`70000${number}`)),
  name: 'Tower',
  description: '',
  tags: ['blocks'],
  creatorId: ada,
  ...still,
})

const creator = (accountId = ada): ExpressionActor => ({ accountId, mayCreate: true, mayManage: false })
const manager = (accountId = grace): ExpressionActor => ({ accountId, mayCreate: false, mayManage: true })
const neither = (accountId = ada): ExpressionActor => ({ accountId, mayCreate: false, mayManage: false })

const createEmojis = (slots: number, ...emojis: readonly Emoji[]): GuildExpressionsCommand => ({
  type: 'CreateEmojis',
  guildId: home,
  emojis,
  slots,
})
const createStickers = (slots: number, ...stickers: readonly Sticker[]): GuildExpressionsCommand => ({
  type: 'CreateStickers',
  guildId: home,
  stickers,
  slots,
})
const madeEmojis = (...emojis: readonly Emoji[]): GuildExpressionsEvent => ({
  type: 'EmojisCreated',
  data: { guildId: home, emojis },
})
const madeStickers = (...stickers: readonly Sticker[]): GuildExpressionsEvent => ({
  type: 'StickersCreated',
  data: { guildId: home, stickers },
})
const dropped: GuildExpressionsEvent = { type: 'ExpressionsDropped', data: { guildId: home } }

describe('creating emojis', () => {
  it('makes one that finds a free slot', () => {
    given(guildExpressions, [madeEmojis(emoji(1))])
      .when(createEmojis(2, emoji(2)))
      .then(madeEmojis(emoji(2)))
  })

  it('is refused where every slot is taken', () => {
    const full = guildExpressions.decide(
      { status: 'kept', emojis: [emoji(1)], stickers: [] },
      createEmojis(1, emoji(2)),
    )
    expect(full).toMatchObject({ refusal: { code: 'MAX_EMOJIS', details: { max_guild_emojis: 1 } } })
  })

  it('makes the first of several, as many as there are free slots', () => {
    given(guildExpressions, [madeEmojis(emoji(1))])
      .when(createEmojis(2, emoji(2), emoji(3)))
      .then(madeEmojis(emoji(2)))
  })

  it('takes no slot of stickers', () => {
    given(guildExpressions, [madeStickers(sticker(1))])
      .when(createEmojis(1, emoji(1)))
      .then(madeEmojis(emoji(1)))
  })

  it('changes nothing for one that is there', () => {
    given(guildExpressions, [madeEmojis(emoji(1))])
      .when(createEmojis(1, emoji(1)))
      .changesNothing()
  })

  it('is refused once the guild is gone', () => {
    given(guildExpressions, [madeEmojis(emoji(1)), dropped])
      .when(createEmojis(5, emoji(2)))
      .refuses('UNKNOWN_GUILD')
  })
})

describe('creating stickers', () => {
  it('is refused where every slot is taken', () => {
    const full = guildExpressions.decide(
      { status: 'kept', emojis: [], stickers: [sticker(1)] },
      createStickers(1, sticker(2)),
    )
    expect(full).toMatchObject({ refusal: { code: 'MAX_STICKERS', details: { max_guild_stickers: 1 } } })
  })
})

describe('renaming an emoji', () => {
  const rename = (by: ExpressionActor, name: string, number = 1): GuildExpressionsCommand => ({
    type: 'RenameEmoji',
    guildId: home,
    by,
    emojiId: emoji(number).id,
    name,
  })
  const renamed = (after: string): GuildExpressionsEvent => ({
    type: 'EmojiRenamed',
    data: { guildId: home, emojiId: emoji(1).id, before: 'wave', after },
  })
  const before = [madeEmojis(emoji(1))]

  it('is for its maker with CREATE_EXPRESSIONS, and for everybody with MANAGE_EXPRESSIONS', () => {
    given(guildExpressions, before).when(rename(creator(), 'hello')).then(renamed('hello'))
    given(guildExpressions, before).when(rename(manager(), 'hello')).then(renamed('hello'))
    given(guildExpressions, before)
      .when(rename(creator(grace), 'hello'))
      .refuses('MISSING_PERMISSIONS')
    given(guildExpressions, before).when(rename(neither(), 'hello')).refuses('MISSING_PERMISSIONS')
  })

  it('finds the emoji before it asks for permissions', () => {
    given(guildExpressions, before)
      .when(rename(neither(), 'hello', 2))
      .refuses('UNKNOWN_EMOJI')
  })

  it('to the name that it has is an event nevertheless', () => {
    given(guildExpressions, before).when(rename(creator(), 'wave')).then(renamed('wave'))
  })
})

describe('changing a sticker', () => {
  it('names the details that differ', () => {
    given(guildExpressions, [madeStickers(sticker(1))])
      .when({
        type: 'ChangeSticker',
        guildId: home,
        by: creator(),
        stickerId: sticker(1).id,
        details: { name: 'Tower', description: 'Of blocks', tags: [] },
      })
      .then({
        type: 'StickerChanged',
        data: {
          guildId: home,
          stickerId: sticker(1).id,
          before: { description: '', tags: ['blocks'] },
          after: { description: 'Of blocks', tags: [] },
        },
      })
  })

  it('of nobody is unknown', () => {
    const details = { name: 'Tower', description: '', tags: [] }
    given(guildExpressions, [])
      .when({ type: 'ChangeSticker', guildId: home, by: manager(), stickerId: sticker(1).id, details })
      .refuses('UNKNOWN_STICKER')
  })
})

describe('deleting', () => {
  it('an emoji says whether its image goes with it', () => {
    const remove = { type: 'DeleteEmoji', guildId: home, by: manager(), emojiId: emoji(1).id, purge: true } as const
    given(guildExpressions, [madeEmojis(emoji(1))])
      .when(remove)
      .then({ type: 'EmojiDeleted', data: { guildId: home, emoji: emoji(1), purged: true } })
  })

  it("a sticker of somebody else's takes MANAGE_EXPRESSIONS", () => {
    const by = creator(grace)
    given(guildExpressions, [madeStickers(sticker(1))])
      .when({ type: 'DeleteSticker', guildId: home, by, stickerId: sticker(1).id, purge: false })
      .refuses('MISSING_PERMISSIONS')
  })
})

describe('a deleted guild', () => {
  it('takes its expressions along, once', () => {
    const drop = { type: 'DropExpressions', guildId: home } as const
    given(guildExpressions, [madeEmojis(emoji(1))])
      .when(drop)
      .then(dropped)
    given(guildExpressions, [madeEmojis(emoji(1)), dropped])
      .when(drop)
      .changesNothing()
  })

  it('without any leaves no event', () => {
    given(guildExpressions, []).when({ type: 'DropExpressions', guildId: home }).changesNothing()
  })
})

const all = histories(guildExpressions, guildExpressionsCommands)

describe('in every history', () => {
  property('no creation goes beyond the slots that it was given', all, ({ steps }) => {
    for (const { command, events, after } of steps) {
      if (after.status === 'dropped' || events.length === 0) continue
      if (command.type === 'CreateEmojis') expect(after.emojis.length).toBeLessThanOrEqual(command.slots)
      if (command.type === 'CreateStickers') expect(after.stickers.length).toBeLessThanOrEqual(command.slots)
    }
  })

  property('no id is there twice', all, ({ state }) => {
    const ids = state.status === 'dropped' ? [] : [...state.emojis, ...state.stickers].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  property('nobody changes what they neither made nor manage', all, ({ steps }) => {
    for (const { command, events, before } of steps) {
      if (!('by' in command) || events.length === 0 || before.status === 'dropped') continue
      const wanted: string = 'emojiId' in command ? command.emojiId : command.stickerId
      const found = [...before.emojis, ...before.stickers].find(({ id }) => id === wanted)
      const { accountId, mayCreate, mayManage } = command.by
      expect(mayManage || (mayCreate && found?.creatorId === accountId)).toBe(true)
    }
  })
})
