import type { GuildExpressionsCommand } from '../../../domain/guild-expressions/commands.ts'
import type { Emoji, Expressions, Sticker } from '../../../domain/guild-expressions/state.ts'
import { emojiId, stickerId, type GuildId } from '../../../domain/ids/ids.ts'
import type { Snowflake } from '../../../domain/ids/snowflake.ts'
import { refusal, type Refusal } from '../../../domain/kernel/refusal.ts'
import type { Caller } from '../../caller.ts'
import { Refused, reject } from '../../commands/refused.ts'
import { readImage, type ReadingNeeds } from '../../images/read-image.ts'
import type { Ports } from '../../ports.ts'
import {
  expressionBounds,
  imageLocationOf,
  requireCreator,
  type ExpressionBounds,
  type ExpressionKind,
} from './expression-access.ts'

export type MakingNeeds = ReadingNeeds & Pick<Ports, 'aggregates' | 'limits'>

/** What somebody wants to make, with its image as sent. */
export interface SentExpression {
  readonly name: string
  readonly image: Uint8Array
}

type Made = Pick<Emoji, 'name' | 'animated' | 'image' | 'creatorId'> & { readonly id: Snowflake }

/** One kind of expression, as far as making them needs to know. `Sent` is what is sent of each. */
export interface Maker<Sent extends SentExpression, Each extends Emoji | Sticker> {
  readonly kind: ExpressionKind
  readonly heldIn: (expressions: Expressions) => readonly Each[]
  readonly full: (slots: number) => Refusal
  readonly of: (made: Made, details: Omit<Sent, 'image'>) => Each
  readonly command: (guildId: GuildId, made: readonly Each[], slots: number) => GuildExpressionsCommand
}

export const emojiMaker: Maker<SentExpression, Emoji> = {
  kind: 'emoji',
  heldIn: ({ emojis }) => emojis,
  full: (slots) => ({ ...refusal('MAX_EMOJIS'), details: { max_guild_emojis: slots } }),
  of: ({ id, ...made }) => ({ ...made, id: emojiId(id) }),
  command: (guildId, emojis, slots) => ({ type: 'CreateEmojis', guildId, emojis, slots }),
}

export type SentSticker = SentExpression & Pick<Sticker, 'description' | 'tags'>

export const stickerMaker: Maker<SentSticker, Sticker> = {
  kind: 'sticker',
  heldIn: ({ stickers }) => stickers,
  full: (slots) => ({ ...refusal('MAX_STICKERS'), details: { max_guild_stickers: slots } }),
  of: ({ id, ...made }, { description, tags }) => ({ ...made, id: stickerId(id), description, tags }),
  command: (guildId, stickers, slots) => ({ type: 'CreateStickers', guildId, stickers, slots }),
}

/** Of several, what was made, and what was not, by its name. Both keep the order of the request. */
export interface MadeSeveral<Each> {
  readonly made: readonly Each[]
  readonly failed: readonly { readonly name: string; readonly refusal: Refusal }[]
}

/**
 * Makes one expression. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, MAX_EMOJIS or MAX_STICKERS, then as `readImage`
 * does at `image`. See rules/expressions#create.
 */
export function makeOne<Sent extends SentExpression, Each extends Emoji | Sticker>(maker: Maker<Sent, Each>) {
  return (ports: MakingNeeds) =>
    async (caller: Caller, guildId: GuildId, sent: Sent): Promise<Each> => {
      const { guild } = await requireCreator(ports, caller, guildId)
      const bounds = await expressionBounds(ports, guild, maker.kind)
      const id = caller.context.newId()
      const held = await heldBy(ports, maker, guildId)
      if (held.length >= bounds.slots && held.every((each) => each.id !== id))
        throw new Refused(maker.full(bounds.slots))
      const each = await withImage(ports, maker, { caller, guildId, bounds }, id, sent)
      const after = await append(ports, caller, guildId, maker.command(guildId, [each], bounds.slots))
      return maker.heldIn(after).find((one) => one.id === id) ?? reject('CONFLICT')
    }
}

/**
 * Makes several expressions, one after another; those that cannot be made are named in the answer, and the others are made at one
 * moment. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS. See rules/expressions#create.
 */
export function makeSeveral<Sent extends SentExpression, Each extends Emoji | Sticker>(maker: Maker<Sent, Each>) {
  return (ports: MakingNeeds) =>
    async (caller: Caller, guildId: GuildId, sent: readonly Sent[]): Promise<MadeSeveral<Each>> => {
      const { guild } = await requireCreator(ports, caller, guildId)
      const bounds = await expressionBounds(ports, guild, maker.kind)
      const held = await heldBy(ports, maker, guildId)
      const wanted: Wanted<Each>[] = []
      for (const one of sent) {
        const id = caller.context.newId()
        const taken = held.length + wanted.filter(({ each }) => each !== undefined).length
        const isFull = taken >= bounds.slots && held.every((each) => each.id !== id)
        const read = () => withImage(ports, maker, { caller, guildId, bounds }, id, one)
        wanted.push({ name: one.name, ...(isFull ? { refusal: maker.full(bounds.slots) } : await orRefusal(read)) })
      }
      const readable = wanted.flatMap(({ each }) => each ?? [])
      const command = maker.command(guildId, readable, bounds.slots)
      const done = readable.length === 0 ? {} : await orRefusal(() => append(ports, caller, guildId, command))
      const now = done.each ? maker.heldIn(done.each) : []
      // Somebody else may have taken the last slots meanwhile.
      const isMade = ({ each }: Wanted<Each>): boolean => each !== undefined && now.some(({ id }) => id === each.id)
      const whyNot = (one: Wanted<Each>): Refusal => one.refusal ?? done.refusal ?? maker.full(bounds.slots)
      return {
        made: wanted.filter(isMade).flatMap(({ each }) => each ?? []),
        failed: wanted.filter((one) => !isMade(one)).map((one) => ({ name: one.name, refusal: whyNot(one) })),
      }
    }
}

/** What became of one of several so far: it is read and stored, or refused. */
interface Wanted<Each> {
  readonly name: string
  readonly each?: Each
  readonly refusal?: Refusal
}

async function orRefusal<Each>(
  act: () => Promise<Each>,
): Promise<{ readonly each?: Each; readonly refusal?: Refusal }> {
  try {
    return { each: await act() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { refusal: error.refusal }
  }
}

interface Making {
  readonly caller: Caller
  readonly guildId: GuildId
  readonly bounds: ExpressionBounds
}

/** Reads and stores the image before anything names it. */
async function withImage<Sent extends SentExpression, Each extends Emoji | Sticker>(
  ports: ReadingNeeds,
  maker: Maker<Sent, Each>,
  { caller, guildId, bounds: { bytes_max } }: Making,
  id: Snowflake,
  sent: Sent,
): Promise<Each> {
  const read = await readImage(ports, caller, { path: 'image', bytes: sent.image, bytes_max })
  const { hash: image } = await read.store(imageLocationOf(maker.kind, guildId, id))
  return maker.of({ id, name: sent.name, animated: moves(image), image, creatorId: caller.account.id }, sent)
}

/** Whether the stored image of a hash moves. */
export function moves(image: string): boolean {
  return image.startsWith('a_')
}

async function heldBy<Each extends Emoji | Sticker>(
  { aggregates }: Pick<Ports, 'aggregates'>,
  maker: Pick<Maker<never, Each>, 'heldIn'>,
  guildId: GuildId,
): Promise<readonly Each[]> {
  const { state } = await aggregates.guildExpressions.load(guildId, 'cached')
  return state.status === 'kept' ? maker.heldIn(state) : []
}

/**
 * Appends what was made. A guild that was deleted meanwhile takes it along: refuses with UNKNOWN_GUILD then.
 */
export async function append(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { context }: Pick<Caller, 'context'>,
  guildId: GuildId,
  command: GuildExpressionsCommand,
): Promise<Expressions> {
  const { state } = await aggregates.guildExpressions.execute(guildId, command, context)
  const { state: guild } = await aggregates.guild.load(guildId)
  if (state.status === 'kept' && guild.status !== 'deleted') return state
  if (state.status === 'kept') {
    await aggregates.guildExpressions.execute(guildId, { type: 'DropExpressions', guildId }, context)
  }
  return reject('UNKNOWN_GUILD')
}
