import fc from 'fast-check'
import type { ExpressionActor, GuildExpressionsCommand } from '../../guild-expressions/commands.ts'
import type { Emoji, Sticker } from '../../guild-expressions/state.ts'
import { emojiId, stickerId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import { anybody, oneOf, record } from '../drawing.ts'
import { home } from '../people.ts'

const emojiIds = oneOf('600001', '600002', '600003').map((id) => emojiId(snowflake(id)))
const stickerIds = oneOf('700001', '700002', '700003').map((id) => stickerId(snowflake(id)))
const names = oneOf('wave', 'tower')
const images = { animated: oneOf(false), image: oneOf('0123456789abcdef0123456789abcdef') }
const descriptions = oneOf('', 'A tower of blocks')
const tags = oneOf([], ['blocks'], ['blocks', 'tower'])

const emojis: fc.Arbitrary<Emoji> = record({ id: emojiIds, name: names, creatorId: anybody, ...images })
const stickers: fc.Arbitrary<Sticker> = record({
  id: stickerIds,
  name: names,
  description: descriptions,
  tags,
  creatorId: anybody,
  ...images,
})
const actors: fc.Arbitrary<ExpressionActor> = record({
  accountId: anybody,
  mayCreate: fc.boolean(),
  mayManage: fc.boolean(),
})
const guildId = oneOf(home)
const slots = oneOf(0, 1, 2, 3)

export const guildExpressionsCommands: fc.Arbitrary<GuildExpressionsCommand> = fc.oneof(
  {
    weight: 6,
    arbitrary: record({
      type: oneOf('CreateEmojis'),
      guildId,
      emojis: fc.array(emojis, { minLength: 1, maxLength: 3 }),
      slots,
    }),
  },
  {
    weight: 4,
    arbitrary: record({ type: oneOf('RenameEmoji'), guildId, by: actors, emojiId: emojiIds, name: names }),
  },
  {
    weight: 4,
    arbitrary: record({ type: oneOf('DeleteEmoji'), guildId, by: actors, emojiId: emojiIds, purge: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: record({
      type: oneOf('CreateStickers'),
      guildId,
      stickers: fc.array(stickers, { minLength: 1, maxLength: 3 }),
      slots,
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('ChangeSticker'),
      guildId,
      by: actors,
      stickerId: stickerIds,
      details: record({ name: names, description: descriptions, tags }),
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('DeleteSticker'),
      guildId,
      by: actors,
      stickerId: stickerIds,
      purge: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('DropExpressions'), guildId }) },
)
