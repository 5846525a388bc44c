import type { AccountId, EmojiId, StickerId } from '../ids/ids.ts'

/** What an emoji and a sticker have in common. */
interface Expression {
  readonly name: string
  /** Whether its image moves. */
  readonly animated: boolean
  /** The hash of its image, which never changes. It begins with `a_` if the image moves. */
  readonly image: string
  /** The account that uploaded or cloned it. */
  readonly creatorId: AccountId
}

export interface Emoji extends Expression {
  readonly id: EmojiId
}

export interface Sticker extends Expression {
  readonly id: StickerId
  /** Empty for none. */
  readonly description: string
  readonly tags: readonly string[]
}

/** What a change of a sticker writes. */
export type StickerDetails = Pick<Sticker, 'name' | 'description' | 'tags'>

/** The expressions of one guild, each list in the order in which they were made. */
export interface Expressions {
  readonly emojis: readonly Emoji[]
  readonly stickers: readonly Sticker[]
}

export const noExpressions: Expressions = { emojis: [], stickers: [] }

/** The guild takes its expressions along when it is deleted: from then on there are none, and none can be made. */
export type GuildExpressionsState = ({ readonly status: 'kept' } & Expressions) | { readonly status: 'dropped' }
