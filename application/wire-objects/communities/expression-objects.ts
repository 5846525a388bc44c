import { z } from 'zod'
import type { Emoji, Sticker } from '../../../domain/guild-expressions/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { snowflakeOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { partialUserSchema } from '../identity/user-objects.ts'

const nsfw = z.literal(false).describe('Always false.')
const animated = z.boolean().describe('Whether the image moves.')
const user = partialUserSchema.optional().describe('Who made it. Present in lists alone.')

/** An emoji of a guild. Its image is at /media/emojis/<id>. */
export const emojiSchema = wireObject('Emoji', {
  id: snowflakeOutput,
  name: z.string(),
  animated,
  nsfw,
  roles: z.array(snowflakeOutput).readonly().describe('Always empty: every member may use it.'),
})

export type EmojiObject = ObjectOf<typeof emojiSchema>

/** As List guild emojis shows it. */
export const listedEmojiSchema = emojiSchema.extend({ user }).meta({ id: 'ListedEmoji' })

/** A sticker of a guild. Its image is at /media/stickers/<id>. */
export const stickerSchema = wireObject('Sticker', {
  id: snowflakeOutput,
  guild_id: snowflakeOutput,
  name: z.string(),
  description: z.string().describe('Empty for none.'),
  tags: z.array(z.string()).readonly(),
  animated,
  nsfw,
})

export type StickerObject = ObjectOf<typeof stickerSchema>

/** As List guild stickers shows it. */
export const listedStickerSchema = stickerSchema.extend({ user }).meta({ id: 'ListedSticker' })

/** What everybody may know of an expression, without being in its guild. */
export const expressionMetadataSchema = wireObject('ExpressionMetadata', {
  id: snowflakeOutput,
  guild_id: snowflakeOutput,
  name: z.string(),
  animated,
  allow_cloning: z.boolean().describe('Whether other guilds may clone it.'),
})

export type ExpressionMetadataObject = ObjectOf<typeof expressionMetadataSchema>

export function emojiObject({ id, name, animated: moves }: Emoji): EmojiObject {
  return objectOf(emojiSchema, { id, name, animated: moves, nsfw: false, roles: [] })
}

/** Shows stickers of a guild. */
export function stickersIn(guildId: GuildId): (sticker: Sticker) => StickerObject {
  return ({ id, name, description, tags, animated: moves }) =>
    objectOf(stickerSchema, { id, guild_id: guildId, name, description, tags, animated: moves, nsfw: false })
}
