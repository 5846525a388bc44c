import type { Emoji, Sticker } from '../../../domain/guild-expressions/state.ts'
import type { EmojiId, GuildId, StickerId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  emojiObject,
  expressionMetadataSchema,
  listedEmojiSchema,
  listedStickerSchema,
  stickersIn,
  type ExpressionMetadataObject,
} from '../../wire-objects/communities/expression-objects.ts'
import { objectOf, type ObjectOf } from '../../wire-objects/declaration.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../ports.ts'
import { allowsCloning } from './clone-expression.ts'
import type { ExpressionKind } from './expression-access.ts'

type Needs = Pick<Ports, 'queries'>

/**
 * The emojis of a guild with their makers; without those whose maker is erased. Refuses with UNKNOWN_GUILD, MISSING_ACCESS,
 * MISSING_PERMISSIONS. See rules/expressions#read.
 */
export function listEmojis(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly ObjectOf<typeof listedEmojiSchema>[]> => {
    await requireGuild(ports, caller, guildId)
    const { emojis } = await ports.queries.expressions.ofGuild(guildId)
    const users = await makersOf(ports, emojis)
    return emojis.flatMap((emoji) => {
      const user = users.get(emoji.creatorId)
      return user ? [objectOf(listedEmojiSchema, { ...emojiObject(emoji), user })] : []
    })
  }
}

/** One of them. Refuses as listing does, and with UNKNOWN_EMOJI. */
export function readEmoji(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, id: EmojiId): Promise<ObjectOf<typeof listedEmojiSchema>> => {
    const emojis = await listEmojis(ports)(caller, guildId)
    return emojis.find((emoji) => emoji.id === id) ?? reject('UNKNOWN_EMOJI')
  }
}

/** The same of stickers. */
export function listStickers(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<readonly ObjectOf<typeof listedStickerSchema>[]> => {
    await requireGuild(ports, caller, guildId)
    const { stickers } = await ports.queries.expressions.ofGuild(guildId)
    const users = await makersOf(ports, stickers)
    return stickers.flatMap((sticker) => {
      const user = users.get(sticker.creatorId)
      return user ? [objectOf(listedStickerSchema, { ...stickersIn(guildId)(sticker), user })] : []
    })
  }
}

/** One of them. Refuses as listing does, and with UNKNOWN_STICKER. */
export function readSticker(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, id: StickerId): Promise<ObjectOf<typeof listedStickerSchema>> => {
    const stickers = await listStickers(ports)(caller, guildId)
    return stickers.find((sticker) => sticker.id === id) ?? reject('UNKNOWN_STICKER')
  }
}

/** What everybody may know of an emoji. Refuses with UNKNOWN_EMOJI, UNKNOWN_GUILD. */
export function emojiMetadata(ports: Needs) {
  return async (_caller: Caller, id: EmojiId): Promise<ExpressionMetadataObject> => {
    const [found] = await ports.queries.expressions.emojis([id])
    return found ? metadataOf(ports, 'emoji', found) : reject('UNKNOWN_EMOJI')
  }
}

/** What everybody may know of a sticker. Refuses with UNKNOWN_STICKER, UNKNOWN_GUILD. */
export function stickerMetadata(ports: Needs) {
  return async (_caller: Caller, id: StickerId): Promise<ExpressionMetadataObject> => {
    const [found] = await ports.queries.expressions.stickers([id])
    return found ? metadataOf(ports, 'sticker', found) : reject('UNKNOWN_STICKER')
  }
}

async function metadataOf(
  { queries }: Needs,
  kind: ExpressionKind,
  { id, guildId, name, animated }: (Emoji | Sticker) & { readonly guildId: GuildId },
): Promise<ExpressionMetadataObject> {
  const guild = await queries.guilds.find(guildId)
  if (!guild) return reject('UNKNOWN_GUILD')
  const allow_cloning = allowsCloning(kind, guild)
  return objectOf(expressionMetadataSchema, { id, guild_id: guildId, name, animated, allow_cloning })
}

const accountsAtOnce_max = 1000

/** The accounts that made some expressions, without the erased ones. */
async function makersOf(
  { queries }: Needs,
  made: readonly Pick<Emoji, 'creatorId'>[],
): Promise<ReadonlyMap<string, PartialUserObject>> {
  const ids = [...new Set(made.map(({ creatorId }) => creatorId))]
  const users = new Map<string, PartialUserObject>()
  for (let from = 0; from < ids.length; from += accountsAtOnce_max)
    for (const account of await queries.accounts.findMany(ids.slice(from, from + accountsAtOnce_max)))
      if (!account.isErased) users.set(account.id, partialUserObject(account))
  return users
}
