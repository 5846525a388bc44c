import type { EmojiId, GuildId, StickerId } from '../ids/ids.ts'
import { event, type EventOf } from '../kernel/event-catalog.ts'
import type { Emoji, Sticker, StickerDetails } from './state.ts'

/** The events of a guild's emojis and stickers. Kept forever: members are added, never renamed or reused. */
export const guildExpressionsEvents = {
  EmojisCreated: event<{ readonly guildId: GuildId; readonly emojis: readonly Emoji[] }>({
    guildId: 'text',
    emojis: 'list',
  }),
  EmojiRenamed: event<EmojiRenamed>({ guildId: 'text', emojiId: 'text', before: 'text', after: 'text' }),
  EmojiDeleted: event<{ readonly guildId: GuildId; readonly emoji: Emoji; readonly purged: boolean }>({
    guildId: 'text',
    emoji: 'object',
    purged: 'flag',
  }),
  StickersCreated: event<{ readonly guildId: GuildId; readonly stickers: readonly Sticker[] }>({
    guildId: 'text',
    stickers: 'list',
  }),
  StickerChanged: event<StickerChanged>({ guildId: 'text', stickerId: 'text', before: 'object', after: 'object' }),
  StickerDeleted: event<{ readonly guildId: GuildId; readonly sticker: Sticker; readonly purged: boolean }>({
    guildId: 'text',
    sticker: 'object',
    purged: 'flag',
  }),
  /** The guild is gone, and its expressions with their images. */
  ExpressionsDropped: event<{ readonly guildId: GuildId }>({ guildId: 'text' }),
}

export type GuildExpressionsEvent = EventOf<typeof guildExpressionsEvents>

/** The emoji was written. The event follows even if the name stays the same. */
export interface EmojiRenamed {
  readonly guildId: GuildId
  readonly emojiId: EmojiId
  readonly before: string
  readonly after: string
}

/** The sticker was written: the members that differ, which may be none. The event follows nevertheless. */
export interface StickerChanged {
  readonly guildId: GuildId
  readonly stickerId: StickerId
  readonly before: Partial<StickerDetails>
  readonly after: Partial<StickerDetails>
}
