import type { GuildEvent } from '../../domain/guild/events.ts'
import type { GuildExpressionsEvent } from '../../domain/guild-expressions/events.ts'
import type { Emoji, Sticker } from '../../domain/guild-expressions/state.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import { patch, projection, put, remove, removeWhere, type RowChange } from '../runner/projection.ts'

/** The emojis and stickers of guilds, and what of deleted ones is still shown. */
export const expressionsProjection = projection<GuildExpressionsEvent | GuildEvent>({
  name: 'expressions',
  answers: 'The emojis and stickers of guilds, and the images of deleted ones.',
  version: 1,
  tables: new URL('./tables.sql', import.meta.url),
  keys: { expressions: ['id'] },
  on: {
    EmojisCreated: ({ data: { guildId, emojis } }) =>
      emojis.map((emoji) => made(guildId, 'emoji', { ...emoji, description: '', tags: [] })),
    EmojiRenamed: ({ data }) => [patch('expressions', { id: data.emojiId }, { name: data.after })],
    EmojiDeleted: ({ data }) => [deleted(data.emoji.id, data.purged)],
    StickersCreated: ({ data: { guildId, stickers } }) => stickers.map((sticker) => made(guildId, 'sticker', sticker)),
    StickerChanged: ({ data }) => [patch('expressions', { id: data.stickerId }, { ...data.after })],
    StickerDeleted: ({ data }) => [deleted(data.sticker.id, data.purged)],
    ExpressionsDropped: ({ data }) => [removeWhere('expressions', { guild_id: data.guildId })],
    GuildDeleted: ({ data }) => [removeWhere('expressions', { guild_id: data.guildId })],
  },
})

function made(
  guildId: GuildId,
  kind: 'emoji' | 'sticker',
  expression: (Emoji | Sticker) & Pick<Sticker, 'description' | 'tags'>,
): RowChange {
  const { id, name, description, tags, animated, image, creatorId } = expression
  return put('expressions', {
    id,
    guild_id: guildId,
    kind,
    name,
    description,
    tags,
    animated,
    image,
    creator_id: creatorId,
    deleted: false,
  })
}

function deleted(id: string, purged: boolean): RowChange {
  return purged ? remove('expressions', { id }) : patch('expressions', { id }, { deleted: true })
}
