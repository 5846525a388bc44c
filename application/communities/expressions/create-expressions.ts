import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Refusal } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import {
  emojiObject,
  stickersIn,
  type EmojiObject,
  type StickerObject,
} from '../../wire-objects/communities/expression-objects.ts'
import {
  emojiMaker,
  makeOne,
  makeSeveral,
  stickerMaker,
  type MakingNeeds,
  type SentExpression,
  type SentSticker,
} from './make-expressions.ts'

/** What came of several: the objects of those that were made, and why others were not. */
export interface CreatedSeveral<ObjectOfEach> {
  readonly success: readonly ObjectOfEach[]
  readonly failed: readonly { readonly name: string; readonly refusal: Refusal }[]
}

/** Makes an emoji. Refuses as `makeOne` does. */
export function createEmoji(ports: MakingNeeds) {
  const make = makeOne(emojiMaker)(ports)
  return async (caller: Caller, guildId: GuildId, sent: SentExpression): Promise<EmojiObject> =>
    emojiObject(await make(caller, guildId, sent))
}

/** Makes several emojis. Refuses as `makeSeveral` does. */
export function createEmojis(ports: MakingNeeds) {
  const make = makeSeveral(emojiMaker)(ports)
  return async (
    caller: Caller,
    guildId: GuildId,
    sent: readonly SentExpression[],
  ): Promise<CreatedSeveral<EmojiObject>> => {
    const { made, failed } = await make(caller, guildId, sent)
    return { success: made.map(emojiObject), failed }
  }
}

/** Makes a sticker. Refuses as `makeOne` does. */
export function createSticker(ports: MakingNeeds) {
  const make = makeOne(stickerMaker)(ports)
  return async (caller: Caller, guildId: GuildId, sent: SentSticker): Promise<StickerObject> =>
    stickersIn(guildId)(await make(caller, guildId, sent))
}

/** Makes several stickers. Refuses as `makeSeveral` does. */
export function createStickers(ports: MakingNeeds) {
  const make = makeSeveral(stickerMaker)(ports)
  return async (
    caller: Caller,
    guildId: GuildId,
    sent: readonly SentSticker[],
  ): Promise<CreatedSeveral<StickerObject>> => {
    const { made, failed } = await make(caller, guildId, sent)
    return { success: made.map(stickersIn(guildId)), failed }
  }
}
