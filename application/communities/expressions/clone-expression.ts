import type { GuildFeature } from '../../../domain/guild/features.ts'
import type { Emoji, Sticker } from '../../../domain/guild-expressions/state.ts'
import type { EmojiId, GuildId, StickerId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { Refused, reject } from '../../commands/refused.ts'
import {
  emojiObject,
  stickersIn,
  type EmojiObject,
  type StickerObject,
} from '../../wire-objects/communities/expression-objects.ts'
import type { Ports } from '../../ports.ts'
import { expressionBounds, imageLocationOf, requireCreator } from './expression-access.ts'
import { append, emojiMaker, stickerMaker, type Maker, type SentExpression } from './make-expressions.ts'

type Needs = Pick<Ports, 'aggregates' | 'images' | 'limits' | 'queries'>

/** A feature of a guild by which other guilds may clone its expressions. */
const cloneable = { emoji: 'CLONE_EMOJI_ENABLED', sticker: 'CLONE_STICKER_ENABLED' } as const satisfies Readonly<
  Record<string, GuildFeature>
>

/**
 * Makes a copy of another guild's emoji, with its name. Refuses with UNKNOWN_EMOJI, MISSING_ACCESS for a guild that allows no copies,
 * UNKNOWN_GUILD, MISSING_PERMISSIONS, MAX_EMOJIS. See rules/expressions#clone.
 */
export function cloneEmoji(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, sourceId: EmojiId): Promise<EmojiObject> => {
    const [source] = await ports.queries.expressions.emojis([sourceId])
    if (!source) return reject('UNKNOWN_EMOJI')
    return emojiObject(await clone(ports, caller, emojiMaker, guildId, source))
  }
}

/** The same of a sticker, with its description and tags. Refuses with UNKNOWN_STICKER, and then the same with MAX_STICKERS. */
export function cloneSticker(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, sourceId: StickerId): Promise<StickerObject> => {
    const [source] = await ports.queries.expressions.stickers([sourceId])
    if (!source) return reject('UNKNOWN_STICKER')
    return stickersIn(guildId)(await clone(ports, caller, stickerMaker, guildId, source))
  }
}

/** Whether other guilds may clone the expressions of a guild. */
export function allowsCloning(
  kind: 'emoji' | 'sticker',
  { features }: { readonly features: readonly string[] },
): boolean {
  return features.includes(cloneable[kind])
}

async function clone<Sent extends SentExpression, Each extends Emoji | Sticker>(
  ports: Needs,
  caller: Caller,
  maker: Maker<Sent, Each>,
  guildId: GuildId,
  source: Omit<Sent, 'image'> & (Emoji | Sticker) & { readonly guildId: GuildId },
): Promise<Each> {
  const { kind } = maker
  const from = await ports.queries.guilds.find(source.guildId)
  if (!from || !allowsCloning(kind, from)) return reject('MISSING_ACCESS')
  const { guild } = await requireCreator(ports, caller, guildId)
  const { slots } = await expressionBounds(ports, guild, kind)
  const id = caller.context.newId()
  const { state } = await ports.aggregates.guildExpressions.load(guildId, 'cached')
  const held = state.status === 'kept' ? maker.heldIn(state) : []
  if (held.length >= slots && held.every((each) => each.id !== id)) throw new Refused(maker.full(slots))
  const { name, animated, image } = source
  const stored = imageLocationOf(kind, guildId, id)
  const isCopied = await ports.images.copy(imageLocationOf(kind, source.guildId, source.id), image, stored)
  if (!isCopied) return reject(kind === 'emoji' ? 'UNKNOWN_EMOJI' : 'UNKNOWN_STICKER')
  const each = maker.of({ id, name, animated, image, creatorId: caller.account.id }, source)
  const after = await append(ports, caller, guildId, maker.command(guildId, [each], slots))
  return maker.heldIn(after).find((one) => one.id === id) ?? reject('CONFLICT')
}
