import type { Emoji, Expressions, Sticker } from '../../../domain/guild-expressions/state.ts'
import type { EmojiId, GuildId, StickerId } from '../../../domain/ids/ids.ts'

/** An emoji, and the guild that it belongs to. */
export interface EmojiOfGuild extends Emoji {
  readonly guildId: GuildId
}

export interface StickerOfGuild extends Sticker {
  readonly guildId: GuildId
}

/** Where the image of an expression is. */
export interface ExpressionImage {
  readonly guildId: GuildId
  /** The hash of the image. */
  readonly image: string
}

/** The emojis and stickers of guilds. */
export interface ExpressionQueries {
  /** Those of a guild, in the order in which they were made. */
  ofGuild(guild: GuildId): Promise<Expressions>
  /** Those of some emojis that exist, in no order; at most 1000. */
  emojis(ids: readonly EmojiId[]): Promise<readonly EmojiOfGuild[]>
  /** The same of stickers. */
  stickers(ids: readonly StickerId[]): Promise<readonly StickerOfGuild[]>
  /** The image of an expression, which may be deleted; undefined if it was purged, or never existed. */
  imageOf(kind: 'emoji' | 'sticker', id: string): Promise<ExpressionImage | undefined>
}
