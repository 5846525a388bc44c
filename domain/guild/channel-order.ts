import type { ChannelId } from '../ids/ids.js'
import { compareSnowflakes } from '../ids/snowflake.js'
import { channelTypes, type Channel } from './channel.js'
import type { Placed } from './channel-events.js'

/** The channels of one parent in their order: by position, then lower id, with voice channels below all others. */
export function siblingsIn(channels: readonly Channel[], parentId: ChannelId | null): readonly Channel[] {
  return channels.filter((channel) => channel.parentId === parentId).toSorted(compareSiblings)
}

function compareSiblings(a: Channel, b: Channel): number {
  return Number(isVoice(a)) - Number(isVoice(b)) || a.position - b.position || compareSnowflakes(a.id, b.id)
}

/** All channels of a guild from top to bottom, each category followed by its channels. */
export function inHierarchy(channels: readonly Channel[]): readonly Channel[] {
  return hierarchyOf(channels, (parentId) => siblingsIn(channels, parentId))
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

/**
 * The positions of a guild's channels, dense from 1, after the channels of one parent get a new order (reference gateway 5.2).
 */
export function densePositions(
  channels: readonly Channel[],
  parentId: ChannelId | null,
  siblings: readonly Channel[],
): readonly Placed[] {
  const moved = new Set(siblings.map(({ id }) => id))
  const others = channels.filter(({ id }) => !moved.has(id))
  const order = hierarchyOf(channels, (parent) => (parent === parentId ? siblings : siblingsIn(others, parent)))
  return order.map(({ id: channelId }, index) => ({ channelId, position: index + 1 }))
}

function hierarchyOf(
  channels: readonly Channel[],
  childrenOf: (parentId: ChannelId | null) => readonly Channel[],
): readonly Channel[] {
  const categories = new Set(channels.filter(({ type }) => type === channelTypes.category).map(({ id }) => id))
  return childrenOf(null).flatMap((top) => (categories.has(top.id) ? [top, ...childrenOf(top.id)] : [top]))
}

function isVoice({ type }: Channel): boolean {
  return type === channelTypes.voice
}
