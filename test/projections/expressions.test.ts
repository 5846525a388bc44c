import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Emoji, Sticker } from '../../domain/guild-expressions/state.ts'
import { emojiId, stickerId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { expressionsProjection } from '../../projections/expressions/projector.ts'
import { expressionQueries } from '../../projections/expressions/queries.ts'
import { imageQueries } from '../../projections/images/queries.ts'
import { account, guild } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => expressionQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([expressionsProjection])
})
afterAll(() => the.close())

const still = { animated: false, image: '0123456789abcdef0123456789abcdef', creatorId: account(1) }
const emoji = (number: number): Emoji => ({ id: emojiId(snowflake(`6000${number}`)), name: 'wave', ...still })
const sticker = (number: number): Sticker => ({
  id: stickerId(snowflake(`7000${number}`)),
  name: 'Tower',
  description: 'Of blocks',
  tags: ['blocks', 'tall'],
  ...still,
})
const emojisMade = (of: number, ...emojis: readonly Emoji[]): AnyEvent => ({
  type: 'EmojisCreated',
  data: { guildId: guild(of), emojis },
})
const stickersMade = (of: number, ...stickers: readonly Sticker[]): AnyEvent => ({
  type: 'StickersCreated',
  data: { guildId: guild(of), stickers },
})
const emojiDeleted = (of: number, number: number, purged: boolean): AnyEvent => ({
  type: 'EmojiDeleted',
  data: { guildId: guild(of), emoji: emoji(number), purged },
})
const named = (of: number, number: number) =>
  imageQueries(the.database).named('emojis', [`${guild(of)}/${emoji(number).id}`])

describe('the expressions of a guild', () => {
  it('are those that it made, as they are now, in the order in which they were made', async () => {
    await happens(emojisMade(1, emoji(1), emoji(2)), stickersMade(1, sticker(1)), emojisMade(2, emoji(3)))
    await happens(
      {
        type: 'EmojiRenamed',
        data: { guildId: guild(1), emojiId: emoji(2).id, before: 'wave', after: 'hello' },
      },
      {
        type: 'StickerChanged',
        data: { guildId: guild(1), stickerId: sticker(1).id, before: { tags: [] }, after: { tags: ['tall'] } },
      },
    )
    expect(await queries().ofGuild(guild(1))).toStrictEqual({
      emojis: [emoji(1), { ...emoji(2), name: 'hello' }],
      stickers: [{ ...sticker(1), tags: ['tall'] }],
    })
    expect(await queries().ofGuild(guild(9))).toStrictEqual({ emojis: [], stickers: [] })
  })

  it('are found by their ids, each with its guild and as what it is', async () => {
    await happens(emojisMade(3, emoji(4)), stickersMade(3, sticker(4)))
    expect(await queries().emojis([emoji(4).id])).toStrictEqual([{ ...emoji(4), guildId: guild(3) }])
    expect(await queries().stickers([sticker(4).id])).toStrictEqual([{ ...sticker(4), guildId: guild(3) }])
    expect(await queries().emojis([emojiId(sticker(4).id)])).toStrictEqual([])
  })

  it('keep their images once they are deleted, unless these were purged', async () => {
    await happens(emojisMade(4, emoji(5), emoji(6)), emojiDeleted(4, 5, false), emojiDeleted(4, 6, true))
    expect(await queries().ofGuild(guild(4))).toStrictEqual({ emojis: [], stickers: [] })
    expect(await queries().emojis([emoji(5).id])).toStrictEqual([])
    const { image } = still
    expect(await queries().imageOf('emoji', emoji(5).id)).toStrictEqual({ guildId: guild(4), image })
    expect(await queries().imageOf('emoji', emoji(6).id)).toBeUndefined()
    expect(await named(4, 5)).toStrictEqual([{ owner: `${guild(4)}/${emoji(5).id}`, hash: image }])
    expect(await named(4, 6)).toStrictEqual([])
  })

  it('go with it', async () => {
    await happens(emojisMade(5, emoji(7)), emojisMade(6, emoji(8)))
    await happens(
      { type: 'GuildDeleted', data: { guildId: guild(5), ownerId: account(1), channelIds: [] } },
      { type: 'ExpressionsDropped', data: { guildId: guild(6) } },
    )
    for (const number of [7, 8]) expect(await queries().imageOf('emoji', emoji(number).id)).toBeUndefined()
  })
})
