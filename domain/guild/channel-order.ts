import type { ChannelId } from '../ids/ids.ts'
import { compareSnowflakes } from '../ids/snowflake.ts'
import { channelTypes, type Channel } from './channel.ts'

/** The channels of one parent in their order: by position, then lower id, with voice channels below all others. */
export function siblingsIn(channels: readonly Channel[], parentId: ChannelId | null): readonly Channel[] {
  return channels.filter((channel) => channel.parentId === parentId).toSorted(compareSiblings)
}

function compareSiblings(a: Channel, b: Channel): number {
  return Number(isVoice(a)) - Number(isVoice(b)) || a.position - b.position || compareSnowflakes(a.id, b.id)
}

/** All channels of a guild from top to bottom, each category followed by its channels. */
export function inHierarchy(channels: readonly Channel[]): readonly Channel[] {
  return hierarchyOf(orderOf(channels))
}

/** The position of a channel that is added below its siblings. */
export function positionBelow(channels: readonly Channel[], parentId: ChannelId | null): number {
  return Math.max(-1, ...siblingsIn(channels, parentId).map(({ position }) => position)) + 1
}

/** Whether a voice channel is above a text channel in an order of siblings; a category is neither. */
export function hasVoiceAboveText(siblings: readonly Channel[]): boolean {
  const firstVoice = siblings.findIndex(isVoice)
  const lastText = siblings.findLastIndex((channel) => !isVoice(channel) && channel.type !== channelTypes.category)
  return firstVoice !== -1 && firstVoice < lastText
}

/** Voice channels moved below the others, each group in its order. */
export function voiceBelow(siblings: readonly Channel[]): readonly Channel[] {
  return siblings.toSorted((a, b) => Number(isVoice(a)) - Number(isVoice(b)))
}

/** The channels of a guild by parent, each list in its order. */
export type ChannelOrder = ReadonlyMap<ChannelId | null, readonly Channel[]>

export function orderOf(channels: readonly Channel[]): ChannelOrder {
  const lists = new Map<ChannelId | null, Channel[]>()
  for (const channel of channels.toSorted(compareSiblings)) {
    const list = lists.get(channel.parentId)
    if (list) list.push(channel)
    else lists.set(channel.parentId, [channel])
  }
  return lists
}

/** The position of each channel in an order, dense from 1. */
export function densePositions(order: ChannelOrder): ReadonlyMap<ChannelId, number> {
  return new Map(hierarchyOf(order).map(({ id }, index) => [id, index + 1]))
}

function hierarchyOf(order: ChannelOrder): readonly Channel[] {
  const tops = order.get(null) ?? []
  return tops.flatMap((top) => (top.type === channelTypes.category ? [top, ...(order.get(top.id) ?? [])] : [top]))
}

function isVoice({ type }: Channel): boolean {
  return type === channelTypes.voice
}
