import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, refuseWith, type Decision } from '../kernel/decider.ts'
import type { Refusal } from '../kernel/refusal.ts'
import { otherThan } from '../kernel/same-json.ts'
import { lacking } from '../permissions/authority.ts'
import type {
  ChangeSticker,
  CreateEmojis,
  CreateStickers,
  DeleteEmoji,
  DeleteSticker,
  ExpressionActor,
  GuildExpressionsCommand,
  RenameEmoji,
} from './commands.ts'
import { guildExpressionsEvents, type GuildExpressionsEvent } from './events.ts'
import {
  noExpressions,
  type Emoji,
  type Expressions,
  type GuildExpressionsState,
  type StickerDetails,
} from './state.ts'

/** The emojis and stickers of a guild. */
export const guildExpressions = aggregate({
  category: 'guild_expressions',
  identifiedBy: 'the guild id',
  guards: 'how many emojis and stickers a guild has, and who changes and deletes them',
  stateVersion: 1,
  events: guildExpressionsEvents,
  initial: { status: 'kept', ...noExpressions },
  decide,
  evolve,
})

type Decided = Decision<GuildExpressionsEvent>

function decide(state: GuildExpressionsState, command: GuildExpressionsCommand): Decided {
  if (state.status === 'dropped') return command.type === 'DropExpressions' ? accept() : refuse('UNKNOWN_GUILD')
  switch (command.type) {
    case 'CreateEmojis':
      return createEmojis(state, command)
    case 'RenameEmoji':
      return renameEmoji(state, command)
    case 'DeleteEmoji':
      return deleteEmoji(state, command)
    case 'CreateStickers':
      return createStickers(state, command)
    case 'ChangeSticker':
      return changeSticker(state, command)
    case 'DeleteSticker':
      return deleteSticker(state, command)
    case 'DropExpressions':
      return drop(state, command.guildId)
  }
}

/** MAX_EMOJIS if not one of them finds a free slot (rules/expressions#slots). An emoji that is there is not made again. */
function createEmojis({ emojis: held }: Expressions, { guildId, emojis, slots }: CreateEmojis): Decided {
  const made = fitting(held, emojis, slots)
  if (made === 'full') return refuseWith('MAX_EMOJIS', { max_guild_emojis: slots })
  return made.length === 0 ? accept() : accept({ type: 'EmojisCreated', data: { guildId, emojis: made } })
}

/** The same with MAX_STICKERS. */
function createStickers({ stickers: held }: Expressions, { guildId, stickers, slots }: CreateStickers): Decided {
  const made = fitting(held, stickers, slots)
  if (made === 'full') return refuseWith('MAX_STICKERS', { max_guild_stickers: slots })
  return made.length === 0 ? accept() : accept({ type: 'StickersCreated', data: { guildId, stickers: made } })
}

type Identified = Pick<Emoji, 'creatorId'> & { readonly id: string }

/** Those of some new expressions for which there are free slots. */
function fitting<Each extends Identified>(
  held: readonly Each[],
  wanted: readonly Each[],
  slots: number,
): readonly Each[] | 'full' {
  const made = wanted.filter(
    ({ id }, index) => !has(held, id) && wanted.findIndex((other) => other.id === id) === index,
  )
  const free = Math.max(0, slots - held.length)
  return made.length > 0 && free === 0 ? 'full' : made.slice(0, free)
}

function has(held: readonly Identified[], wanted: string): boolean {
  return held.some(({ id }) => id === wanted)
}

/** UNKNOWN_EMOJI, then MISSING_PERMISSIONS. The event follows even for the same name (rules/expressions#change). */
function renameEmoji({ emojis }: Expressions, { guildId, by, emojiId, name }: RenameEmoji): Decided {
  const emoji = emojis.find(({ id }) => id === emojiId)
  if (!emoji) return refuse('UNKNOWN_EMOJI')
  const refusal = refusalFor(emoji, by)
  if (refusal) return refuse(refusal)
  return accept({ type: 'EmojiRenamed', data: { guildId, emojiId, before: emoji.name, after: name } })
}

/** UNKNOWN_EMOJI, then MISSING_PERMISSIONS (rules/expressions#delete). */
function deleteEmoji({ emojis }: Expressions, { guildId, by, emojiId, purge: purged }: DeleteEmoji): Decided {
  const emoji = emojis.find(({ id }) => id === emojiId)
  if (!emoji) return refuse('UNKNOWN_EMOJI')
  const refusal = refusalFor(emoji, by)
  return refusal ? refuse(refusal) : accept({ type: 'EmojiDeleted', data: { guildId, emoji, purged } })
}

/** UNKNOWN_STICKER, then MISSING_PERMISSIONS. All details are written (rules/expressions#change). */
function changeSticker({ stickers }: Expressions, { guildId, by, stickerId, details }: ChangeSticker): Decided {
  const sticker = stickers.find(({ id }) => id === stickerId)
  if (!sticker) return refuse('UNKNOWN_STICKER')
  const refusal = refusalFor(sticker, by)
  if (refusal) return refuse(refusal)
  const { name, description, tags } = sticker
  const now: StickerDetails = { name, description, tags }
  const after: Partial<StickerDetails> = Object.fromEntries(Object.entries(details).filter(otherThan(now)))
  const before = Object.fromEntries(Object.entries(now).filter(([member]) => Object.hasOwn(after, member)))
  return accept({ type: 'StickerChanged', data: { guildId, stickerId, before, after } })
}

function deleteSticker({ stickers }: Expressions, command: DeleteSticker): Decided {
  const { guildId, by, stickerId, purge: purged } = command
  const sticker = stickers.find(({ id }) => id === stickerId)
  if (!sticker) return refuse('UNKNOWN_STICKER')
  const refusal = refusalFor(sticker, by)
  return refusal ? refuse(refusal) : accept({ type: 'StickerDeleted', data: { guildId, sticker, purged } })
}

/** Its maker needs CREATE_EXPRESSIONS or MANAGE_EXPRESSIONS, everybody else MANAGE_EXPRESSIONS. */
function refusalFor(
  { creatorId }: Identified,
  { accountId, mayCreate, mayManage }: ExpressionActor,
): Refusal | undefined {
  if (mayManage) return undefined
  if (creatorId !== accountId) return lacking('MANAGE_EXPRESSIONS')
  return mayCreate ? undefined : lacking('CREATE_EXPRESSIONS')
}

/** A guild that has nothing leaves nothing behind. */
function drop({ emojis, stickers }: Expressions, guildId: DeleteEmoji['guildId']): Decided {
  if (emojis.length + stickers.length === 0) return accept()
  return accept({ type: 'ExpressionsDropped', data: { guildId } })
}

function evolve(state: GuildExpressionsState, event: GuildExpressionsEvent): GuildExpressionsState {
  if (event.type === 'ExpressionsDropped') return { status: 'dropped' }
  return state.status === 'dropped' ? state : { status: 'kept', ...expressionsAfter(state, event) }
}

/** The expressions of a guild that exists, after an event. */
function expressionsAfter(
  { emojis, stickers }: Expressions,
  event: Exclude<GuildExpressionsEvent, { readonly type: 'ExpressionsDropped' }>,
): Expressions {
  switch (event.type) {
    case 'EmojisCreated':
      return { emojis: [...emojis, ...event.data.emojis], stickers }
    case 'EmojiRenamed': {
      const { emojiId, after: name } = event.data
      return { emojis: emojis.map((emoji) => (emoji.id === emojiId ? { ...emoji, name } : emoji)), stickers }
    }
    case 'EmojiDeleted':
      return { emojis: emojis.filter(({ id }) => id !== event.data.emoji.id), stickers }
    case 'StickersCreated':
      return { emojis, stickers: [...stickers, ...event.data.stickers] }
    case 'StickerChanged': {
      const { stickerId, after } = event.data
      return { emojis, stickers: stickers.map((each) => (each.id === stickerId ? { ...each, ...after } : each)) }
    }
    case 'StickerDeleted':
      return { emojis, stickers: stickers.filter(({ id }) => id !== event.data.sticker.id) }
  }
}
