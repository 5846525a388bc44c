import type { ChannelId } from '../../../ids/ids.ts'
import { accept, refuse, type Decision } from '../../../kernel/decider.ts'
import { jsonBytes } from '../../../kernel/json-bytes.ts'
import { field, refusal, type Refusal } from '../../../kernel/refusal.ts'
import { sameJson } from '../../../kernel/same-json.ts'
import { lacking, refusalOf } from '../../../permissions/authority.ts'
import type { Channel } from '../../channel.ts'
import type { ChannelMove, ReorderChannels } from '../../channel-commands.ts'
import type { ChannelsReordered, MovedChannel, Placed } from '../../channel-events.ts'
import { densePositions, hasVoiceAboveText, orderOf, voiceBelow, type ChannelOrder } from '../../channel-order.ts'
import type { GuildEvent } from '../../events.ts'
import { tooManyOverwrites } from '../../overwrite-bounds.ts'
import type { Guild, GuildState } from '../../state.ts'
import { isFull } from './create-channel.ts'
import { evolveChannels } from './evolve-channels.ts'
import { seesNamed } from './in-sight.ts'
import { parentFault } from './wished-channel.ts'
import { overwritesRefusal, sameOverwrites } from './written-overwrites.ts'

/** The maximum size in bytes of what one request comes to, as recorded. The store's limit for one append is higher. */
const moves_bytes_max = 704 * 1024

/**
 * Moves channels one after another, all or none, and records what that comes to. After each move the guild's positions
 * are dense from 1. Does nothing if all channels end up where they were. Refuses with MISSING_PERMISSIONS or
 * TWO_FACTOR_REQUIRED without MANAGE_CHANNELS, and without MANAGE_ROLES if overwrites would change; MISSING_PERMISSIONS
 * unless the actor can view every named channel, before all moves and after; MAX_CATEGORY_CHANNELS; INVALID_FORM_BODY
 * with the field codes of the first impossible move, and TOO_LARGE at the last one for moves that copy more overwrites
 * than can be recorded at once, as guilds from before their bounds may have.
 */
export function reorderChannels(state: GuildState, command: ReorderChannels): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const missing = refusalOf(state, command.by, 'MANAGE_CHANNELS')
  if (missing) return refuse(missing)
  const named = command.moves.flatMap((move) => [move.channelId, move.parentId, move.precedingSiblingId])
  if (!seesNamed(state, command, named)) return refuse(lacking('VIEW_CHANNEL'))
  let amid: Arranged = { guild: state, order: orderOf(state.channels), isMoved: false }
  for (const [index, move] of command.moves.entries()) {
    const outcome = moved(amid, command, move, `${index}`)
    if ('code' in outcome) return refuse(outcome)
    amid = outcome
  }
  if (!seesNamed(amid.guild, command, named)) return refuse(lacking('VIEW_CHANNEL'))
  const data = betweenOrders(state, amid)
  if (jsonBytes(data) > moves_bytes_max)
    return refuse('INVALID_FORM_BODY', field(`${command.moves.length - 1}`, 'TOO_LARGE'))
  return data.positions.length + data.moved.length === 0 ? accept() : accept({ type: 'ChannelsReordered', data })
}

/**
 * A guild amid its moves. Its channels have their parents and overwrites of now, and the positions of before: those of now follow from
 * the order, and are computed once for all moves.
 */
interface Arranged {
  readonly guild: Guild
  readonly order: ChannelOrder
  /** Whether a move has changed the order, and so made the positions dense. */
  readonly isMoved: boolean
}

/** What the moves came to. Those that were undone by later ones leave nothing. */
function betweenOrders(before: Guild, { guild: after, order, isMoved }: Arranged): ChannelsReordered {
  const now = new Map(after.channels.map((channel) => [channel.id, channel]))
  const moved = before.channels.flatMap((channel): readonly MovedChannel[] => {
    const { parentId = channel.parentId, overwrites = channel.overwrites } = now.get(channel.id) ?? {}
    const keepsOwn = overwrites === channel.overwrites || sameJson(overwrites, channel.overwrites)
    if (parentId === channel.parentId && keepsOwn) return []
    return [{ channelId: channel.id, parentId, overwrites: keepsOwn ? null : overwrites }]
  })
  return { guildId: after.id, positions: isMoved ? changedPositions(before, densePositions(order)) : [], moved }
}

function changedPositions({ channels }: Guild, now: ReadonlyMap<ChannelId, number>): readonly Placed[] {
  return channels.flatMap(({ id: channelId, position: before }) => {
    const position = now.get(channelId) ?? before
    return position === before ? [] : [{ channelId, position }]
  })
}

/** The guild after one more move: the same one if the move changes nothing. */
function moved(before: Arranged, command: ReorderChannels, move: ChannelMove, path: string): Arranged | Refusal {
  const { guild, order } = before
  const channel = guild.channels.find(({ id }) => id === move.channelId)
  if (!channel) return refusal('INVALID_FORM_BODY', field(`${path}.id`, 'CHANNEL_NOT_FOUND'))
  const { parentId = channel.parentId } = move
  const fault = parentFault(guild.channels, channel.type, parentId, `${path}.parent_id`)
  if (fault) return refusal('INVALID_FORM_BODY', fault)
  const { channelsPerCategory_max } = command.limits
  if (parentId !== channel.parentId && isFull(guild, parentId, channelsPerCategory_max))
    return {
      code: 'MAX_CATEGORY_CHANNELS',
      fields: [],
      details: { max_channels_per_category: channelsPerCategory_max },
    }
  const siblings = arranged(before, channel, parentId, move, path)
  if ('code' in siblings) return siblings
  const overwrites = takenOver(guild, channel, parentId, move)
  const refused = overwrites && lockRefusal(guild, command, channel, overwrites, `${path}.lock_permissions`)
  if (refused) return refused
  const isWhereItWas = parentId === channel.parentId && hasOrder(siblings, order.get(parentId) ?? [])
  return {
    guild: parentId === channel.parentId && !overwrites ? guild : withMoved(guild, channel, parentId, overwrites),
    order: isWhereItWas ? order : withList(order, channel, parentId, siblings),
    isMoved: before.isMoved || !isWhereItWas,
  }
}

function withMoved(
  guild: Guild,
  { id: channelId }: Channel,
  parentId: ChannelId | null,
  overwrites: Channel['overwrites'] | undefined,
): Guild {
  const moves = [{ channelId, parentId, overwrites: overwrites ?? null }]
  return evolveChannels(guild, { type: 'ChannelsReordered', data: { guildId: guild.id, positions: [], moved: moves } })
}

function withList(
  order: ChannelOrder,
  channel: Channel,
  parentId: ChannelId | null,
  siblings: readonly Channel[],
): ChannelOrder {
  const changed = new Map(order).set(parentId, siblings)
  if (parentId === channel.parentId) return changed
  const left = (order.get(channel.parentId) ?? []).filter(({ id }) => id !== channel.id)
  return changed.set(channel.parentId, left)
}

/** The siblings in the requested order. */
function arranged(
  { guild: { channels }, order }: Arranged,
  channel: Channel,
  parentId: ChannelId | null,
  move: ChannelMove,
  path: string,
): readonly Channel[] | Refusal {
  const now = order.get(parentId) ?? []
  const others = now.filter(({ id }) => id !== channel.id)
  const { precedingSiblingId: preceding, position } = move
  const put = (index: number): readonly Channel[] => others.toSpliced(index, 0, channel)
  if (preceding === undefined && position === undefined)
    return parentId === channel.parentId ? now : voiceBelow(put(others.length))
  if (preceding !== undefined && preceding !== null) {
    const code = precedingFault(channels, channel, parentId, preceding)
    if (code) return refusal('INVALID_FORM_BODY', field(`${path}.preceding_sibling_id`, code))
  }
  const index =
    preceding === undefined
      ? Math.min(position ?? 0, others.length)
      : others.findIndex(({ id }) => id === preceding) + 1
  const wished = put(index)
  const asked = preceding === undefined ? 'position' : 'preceding_sibling_id'
  if (hasVoiceAboveText(wished))
    return refusal('INVALID_FORM_BODY', field(`${path}.${asked}`, 'VOICE_CHANNELS_CANNOT_BE_ABOVE_TEXT_CHANNELS'))
  return voiceBelow(wished)
}

function precedingFault(channels: readonly Channel[], channel: Channel, parentId: ChannelId | null, id: ChannelId) {
  if (id === channel.id) return 'CANNOT_POSITION_CHANNEL_RELATIVE_TO_ITSELF'
  const preceding = channels.find((other) => other.id === id)
  if (!preceding) return 'INVALID_CHANNEL_ID'
  return preceding.parentId === parentId ? undefined : 'PRECEDING_CHANNEL_MUST_SHARE_PARENT'
}

/** The category's overwrites, if the channel must copy them and has different ones. */
function takenOver(
  { channels }: Guild,
  channel: Channel,
  parentId: ChannelId | null,
  { lockPermissions }: ChannelMove,
): Channel['overwrites'] | undefined {
  const category = lockPermissions ? channels.find(({ id }) => id === parentId) : undefined
  return category && !sameOverwrites(category.overwrites, channel.overwrites) ? category.overwrites : undefined
}

function lockRefusal(
  guild: Guild,
  { by }: ReorderChannels,
  { overwrites: now }: Channel,
  overwrites: Channel['overwrites'],
  path: string,
): Refusal | undefined {
  const missing = refusalOf(guild, by, 'MANAGE_ROLES', now)
  if (missing) return missing
  const write = { before: now.length, after: overwrites.length, channels: 1 }
  return tooManyOverwrites(guild, write, path) ?? overwritesRefusal(guild, by, now, overwrites)
}

function hasOrder(siblings: readonly Channel[], order: readonly Channel[]): boolean {
  return siblings.length === order.length && siblings.every(({ id }, index) => id === order[index]?.id)
}
