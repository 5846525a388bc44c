import { z } from 'zod'
import type { SentExpression, SentSticker } from '../../../../application/communities/expressions/make-expressions.ts'
import type { StickerDetails } from '../../../../domain/guild-expressions/state.ts'
import type { Length } from '../../../../domain/text/normalise.ts'
import { emojiSchema, stickerSchema } from '../../../../application/wire-objects/communities/expression-objects.ts'
import { expressionImageInput } from '../images.ts'
import { emojiIdInput, guildIdInput, nameInput, orNull, stickerIdInput, textInput, withDefault } from '../scalars.ts'

const several_max = 50
const tags_max = 10
const stickerNameLength: Length = { min: 2, max: 30 }
const descriptionLength: Length = { min: 1, max: 500 }
const tagLength: Length = { min: 1, max: 30 }

export const guildParams = z.object({ guild_id: guildIdInput })
export const emojiParams = z.object({ guild_id: guildIdInput, emoji_id: emojiIdInput })
export const stickerParams = z.object({ guild_id: guildIdInput, sticker_id: stickerIdInput })

const emojiName = z
  .string()
  .regex(/^\w{2,32}$/)
  .describe('2-32 letters, digits and underscores of ASCII.')

/** The body of Modify guild emoji. */
export const emojiChanges = z.object({ name: emojiName })

/** The body of Create guild emoji. */
export const emojiWishes = z
  .object({ name: emojiName, image: expressionImageInput })
  .transform((wishes): SentExpression => wishes)

/** The body of Create several guild emojis. */
export const severalEmojis = z.object({ emojis: z.array(emojiWishes).min(1).max(several_max) })

/** The body of Clone guild emoji. */
export const emojiSource = z.object({ source_emoji_id: emojiIdInput })

const stickerDetails = {
  name: nameInput(stickerNameLength),
  description: orNull(textInput(descriptionLength)),
  tags: withDefault(z.array(textInput(tagLength)).max(tags_max), []),
}

/** The body of Modify guild sticker: what is not sent becomes empty. */
export const stickerChanges = z
  .object(stickerDetails)
  .transform(({ description, ...details }): StickerDetails => ({ ...details, description: description ?? '' }))

/** The body of Create guild sticker. */
export const stickerWishes = z
  .object({ ...stickerDetails, image: expressionImageInput })
  .transform(({ description, ...wishes }): SentSticker => ({ ...wishes, description: description ?? '' }))

/** The body of Create several guild stickers. */
export const severalStickers = z.object({ stickers: z.array(stickerWishes).min(1).max(several_max) })

/** The body of Clone guild sticker. */
export const stickerSource = z.object({ source_sticker_id: stickerIdInput })

const failed = z
  .array(z.object({ name: z.string(), error: z.string().describe("Why, in the account's language.") }))
  .readonly()

/** The answer of Create several guild emojis. */
export const createdEmojis = z.object({ success: z.array(emojiSchema).readonly(), failed })

/** The answer of Create several guild stickers. */
export const createdStickers = z.object({ success: z.array(stickerSchema).readonly(), failed })
