import { field, type Refusal } from '../kernel/refusal.js'
import type { Channel } from './channel.js'
import type { Guild } from './state.js'

/** How many overwrites a channel may have, and all channels of a guild together (docs/decisions/0050-sizes-of-guilds.md). */
export const channelOverwrites_max = 100
export const guildOverwrites_max = 5000

/** A write of the overwrites of one channel, or of several that have the same. */
export interface OverwritesWrite {
  /** How many each channel has, and would have. */
  readonly before: number
  readonly after: number
  readonly channels: number
}

/**
 * Refuses a write that adds overwrites beyond what a channel or its guild may have: INVALID_FORM_BODY with TOO_LARGE at `path`,
 * and the bound that is passed beside it. Guilds from before these bounds may have more: they keep what they have, and a write
 * that adds none passes.
 */
export function tooManyOverwrites(
  { channels }: Pick<Guild, 'channels'>,
  write: OverwritesWrite,
  path = 'permission_overwrites',
): Refusal | undefined {
  const added = (write.after - write.before) * write.channels
  if (added <= 0) return undefined
  const details = passedBound(write.after, overwritesIn(channels) + added)
  return details && { code: 'INVALID_FORM_BODY', fields: [field(path, 'TOO_LARGE')], details }
}

/** The bound that is passed by so many overwrites in a channel, or so many in its guild; undefined where none is. */
export function passedBound(inChannel: number, inGuild: number): Readonly<Record<string, number>> | undefined {
  if (inChannel > channelOverwrites_max) return { max_channel_overwrites: channelOverwrites_max }
  return inGuild > guildOverwrites_max ? { max_guild_overwrites: guildOverwrites_max } : undefined
}

/** How many overwrites channels have together. */
export function overwritesIn(channels: readonly Pick<Channel, 'overwrites'>[]): number {
  return channels.reduce((sum, { overwrites }) => sum + overwrites.length, 0)
}
