import type { GuildExpressionsEvent } from '../../guild-expressions/events.ts'
import type { Emoji, Sticker } from '../../guild-expressions/state.ts'
import { auditActions } from '../audit-actions.ts'
import { changed, created, deleted, type AuditValue, type DraftsOf } from '../audit-entry.ts'

/** Emojis and stickers. A write that changed nothing has an entry nevertheless; what goes with its guild has none. */
export const expressionDrafts: DraftsOf<GuildExpressionsEvent> = {
  EmojisCreated: ({ guildId, emojis }) =>
    emojis.map((emoji) => {
      const changes = created(emojiValues(emoji))
      return { guildId, actionType: auditActions.EMOJI_CREATE, targetId: emoji.id, options: {}, changes }
    }),
  EmojiRenamed: ({ guildId, emojiId, before, after }) => {
    const changes = before === after ? [] : changed({ name: before }, { name: after })
    return [{ guildId, actionType: auditActions.EMOJI_UPDATE, targetId: emojiId, options: {}, changes }]
  },
  EmojiDeleted: ({ guildId, emoji }) => {
    const changes = deleted(emojiValues(emoji))
    return [{ guildId, actionType: auditActions.EMOJI_DELETE, targetId: emoji.id, options: {}, changes }]
  },
  StickersCreated: ({ guildId, stickers }) =>
    stickers.map((sticker) => {
      const changes = created(stickerValues(sticker))
      return { guildId, actionType: auditActions.STICKER_CREATE, targetId: sticker.id, options: {}, changes }
    }),
  StickerChanged: ({ guildId, stickerId, before, after }) => {
    const changes = changed(detailsOf(before), detailsOf(after))
    return [{ guildId, actionType: auditActions.STICKER_UPDATE, targetId: stickerId, options: {}, changes }]
  },
  StickerDeleted: ({ guildId, sticker }) => {
    const changes = deleted(stickerValues(sticker))
    return [{ guildId, actionType: auditActions.STICKER_DELETE, targetId: sticker.id, options: {}, changes }]
  },
}

type Values = Readonly<Record<string, AuditValue>>

function emojiValues({ id, name, animated, creatorId }: Emoji): Values {
  return { emoji_id: id, name, animated, creator_id: creatorId }
}

function stickerValues({ id, name, description, animated, creatorId }: Sticker): Values {
  return { sticker_id: id, name, description, animated, creator_id: creatorId }
}

/** Tags are not in the log. */
function detailsOf({ name, description }: Partial<Sticker>): Values {
  return { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) }
}
