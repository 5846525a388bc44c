import type { DeleteEmoji, DeleteSticker, ExpressionActor } from '../../../domain/guild-expressions/commands.ts'
import type { Emoji, GuildExpressionsState, Sticker, StickerDetails } from '../../../domain/guild-expressions/state.ts'
import type { EmojiId, GuildId, StickerId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject, rejectWith } from '../../commands/refused.ts'
import {
  emojiObject,
  stickersIn,
  type EmojiObject,
  type StickerObject,
} from '../../wire-objects/communities/expression-objects.ts'
import type { Ports } from '../../ports.ts'
import { expressionActor, imageLocationOf, type ExpressionKind } from './expression-access.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries'>
type DeletingNeeds = Needs & Pick<Ports, 'allowances' | 'deferred' | 'images'>

/** The deletions of one kind that an account may do in a guild, besides the bucket of the operation. */
const daily = { requests: 300, seconds: 86_400 }

/**
 * Renames an emoji. Refuses with UNKNOWN_EMOJI, even where the guild is unknown, then MISSING_ACCESS, MISSING_PERMISSIONS. See
 * rules/expressions#change.
 */
export function renameEmoji(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, emojiId: EmojiId, name: string): Promise<EmojiObject> => {
    const { aggregates } = ports
    const { state } = await aggregates.guildExpressions.load(guildId, 'cached')
    if (!emojiIn(state, emojiId)) reject('UNKNOWN_EMOJI')
    const by = await actorIn(ports, caller, guildId)
    const command = { type: 'RenameEmoji', guildId, by, emojiId, name } as const
    const after = await aggregates.guildExpressions.execute(guildId, command, caller.context)
    return emojiObject(emojiIn(after.state, emojiId) ?? reject('UNKNOWN_EMOJI'))
  }
}

/** Writes all details of a sticker. Refuses with UNKNOWN_STICKER, then as above. */
export function changeSticker(ports: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    stickerId: StickerId,
    details: StickerDetails,
  ): Promise<StickerObject> => {
    const { aggregates } = ports
    const { state } = await aggregates.guildExpressions.load(guildId, 'cached')
    if (!stickerIn(state, stickerId)) reject('UNKNOWN_STICKER')
    const by = await actorIn(ports, caller, guildId)
    const command = { type: 'ChangeSticker', guildId, by, stickerId, details } as const
    const after = await aggregates.guildExpressions.execute(guildId, command, caller.context)
    return stickersIn(guildId)(stickerIn(after.state, stickerId) ?? reject('UNKNOWN_STICKER'))
  }
}

/**
 * Deletes an emoji. Its image stays, since messages show it, unless it is purged, which the guild must be allowed. Refuses with
 * RATE_LIMITED by guild:emoji:delete:daily, UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, UNKNOWN_EMOJI. See
 * rules/expressions#delete.
 */
export function deleteEmoji(ports: DeletingNeeds) {
  return async (caller: Caller, guildId: GuildId, emojiId: EmojiId, purge: boolean): Promise<void> => {
    const wanted = (by: ExpressionActor): DeleteEmoji => ({ type: 'DeleteEmoji', guildId, by, emojiId, purge })
    await remove(ports, caller, { kind: 'emoji', guildId, id: emojiId, purge }, wanted)
  }
}

/** Deletes a sticker. Refuses in the same way, with UNKNOWN_STICKER. */
export function deleteSticker(ports: DeletingNeeds) {
  return async (caller: Caller, guildId: GuildId, stickerId: StickerId, purge: boolean): Promise<void> => {
    const wanted = (by: ExpressionActor): DeleteSticker => ({ type: 'DeleteSticker', guildId, by, stickerId, purge })
    await remove(ports, caller, { kind: 'sticker', guildId, id: stickerId, purge }, wanted)
  }
}

interface Removal {
  readonly kind: ExpressionKind
  readonly guildId: GuildId
  readonly id: string
  readonly purge: boolean
}

/** If this process dies before a purged image is gone, it is a leftover. */
async function remove(
  ports: DeletingNeeds,
  caller: Caller,
  { kind, guildId, id, purge }: Removal,
  wanted: (by: ExpressionActor) => DeleteEmoji | DeleteSticker,
): Promise<void> {
  const { aggregates, allowances, deferred, images } = ports
  const { account, context } = caller
  const access = await requireGuild(ports, caller, guildId)
  const command = wanted(expressionActor(access))
  if (await aggregates.guildExpressions.findEarlierTry(guildId, command.type, context)) return
  const allowance = await allowances.take(`guild:${kind}:delete:daily`, `${account.id} ${guildId}`, daily)
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
  if (purge && !access.guild.features.includes('EXPRESSION_PURGE_ALLOWED')) reject('MISSING_ACCESS')
  const before = await aggregates.guildExpressions.load(guildId, 'cached')
  await aggregates.guildExpressions.execute(guildId, command, context)
  if (!purge || before.state.status !== 'kept') return
  const { emojis, stickers } = before.state
  const image = [...emojis, ...stickers].find((each) => each.id === id)?.image
  if (image !== undefined) deferred.run(() => images.remove(imageLocationOf(kind, guildId, id), image))
}

async function actorIn(ports: Needs, caller: Caller, guildId: GuildId): Promise<ExpressionActor> {
  return expressionActor(await requireGuild(ports, caller, guildId))
}

function emojiIn(state: GuildExpressionsState, wanted: EmojiId): Emoji | undefined {
  return state.status === 'kept' ? state.emojis.find(({ id }) => id === wanted) : undefined
}

function stickerIn(state: GuildExpressionsState, wanted: StickerId): Sticker | undefined {
  return state.status === 'kept' ? state.stickers.find(({ id }) => id === wanted) : undefined
}
