import type { GuildExpressionsEvent } from '../../../domain/guild-expressions/events.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { emojiObject, stickersIn } from '../../../application/wire-objects/communities/expression-objects.ts'
import type { Known } from '../../visibility/known-event.ts'
import { same } from '../dispatch.ts'
import { telling, untold, type Telling } from '../telling.ts'

/**
 * Emojis or stickers came, went or changed: GUILD_EMOJIS_UPDATE or GUILD_STICKERS_UPDATE with all that the guild has, even if nothing
 * differs. What goes with its guild is told to nobody.
 */
export function expressionsChanged({ type, data: { guildId } }: Known<GuildExpressionsEvent['type']>): Telling {
  switch (type) {
    case 'EmojisCreated':
    case 'EmojiRenamed':
    case 'EmojiDeleted':
      return emojisOf(guildId)
    case 'StickersCreated':
    case 'StickerChanged':
    case 'StickerDeleted':
      return stickersOf(guildId)
    case 'ExpressionsDropped':
      return untold
  }
}

function emojisOf(guildId: GuildId): Telling {
  return telling(['GUILD_EMOJIS_UPDATE'], ({ room }) => {
    const emojis = room?.expressions.emojis ?? []
    const body = same({ guild_id: guildId, emojis: emojis.map(emojiObject) })
    return [{ t: 'GUILD_EMOJIS_UPDATE', guildId, audience: { kind: 'guild' }, body }]
  })
}

function stickersOf(guildId: GuildId): Telling {
  return telling(['GUILD_STICKERS_UPDATE'], ({ room }) => {
    const stickers = room?.expressions.stickers ?? []
    const body = same({ guild_id: guildId, stickers: stickers.map(stickersIn(guildId)) })
    return [{ t: 'GUILD_STICKERS_UPDATE', guildId, audience: { kind: 'guild' }, body }]
  })
}
