import type { AccountId, EmojiId, GuildId, StickerId } from '../ids/ids.ts'
import type { Emoji, Sticker, StickerDetails } from './state.ts'

export type GuildExpressionsCommand =
  | CreateEmojis
  | RenameEmoji
  | DeleteEmoji
  | CreateStickers
  | ChangeSticker
  | DeleteSticker
  | DropExpressions

/** Who acts. The sender has computed what the account may do in the guild. */
export interface ExpressionActor {
  readonly accountId: AccountId
  /** Holds CREATE_EXPRESSIONS: may change and delete what it made itself. */
  readonly mayCreate: boolean
  /** Holds MANAGE_EXPRESSIONS: may change and delete everything. */
  readonly mayManage: boolean
}

/** The slots of a guild for expressions of a kind: as many as it can have in all. */
interface Slots {
  readonly guildId: GuildId
  readonly slots: number
}

/** Create, bulk create or clone. Of several, those that find a free slot are made. The sender has checked that the account may. */
export interface CreateEmojis extends Slots {
  readonly type: 'CreateEmojis'
  readonly emojis: readonly Emoji[]
}

export interface RenameEmoji {
  readonly type: 'RenameEmoji'
  readonly guildId: GuildId
  readonly by: ExpressionActor
  readonly emojiId: EmojiId
  readonly name: string
}

export interface DeleteEmoji {
  readonly type: 'DeleteEmoji'
  readonly guildId: GuildId
  readonly by: ExpressionActor
  readonly emojiId: EmojiId
  /** Whether its image is removed too. */
  readonly purge: boolean
}

export interface CreateStickers extends Slots {
  readonly type: 'CreateStickers'
  readonly stickers: readonly Sticker[]
}

export interface ChangeSticker {
  readonly type: 'ChangeSticker'
  readonly guildId: GuildId
  readonly by: ExpressionActor
  readonly stickerId: StickerId
  readonly details: StickerDetails
}

export interface DeleteSticker {
  readonly type: 'DeleteSticker'
  readonly guildId: GuildId
  readonly by: ExpressionActor
  readonly stickerId: StickerId
  readonly purge: boolean
}

/** The guild is deleted. */
export interface DropExpressions {
  readonly type: 'DropExpressions'
  readonly guildId: GuildId
}
