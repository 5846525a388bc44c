import { field, type Refusal } from '../kernel/refusal.ts'
import type { Channel } from './channel.ts'
import type { Guild } from './state.ts'

/**
 * The maximum number of overwrites in a channel, and in all channels of a guild together
 * (docs/decisions/0050-sizes-of-guilds.md).
 */
export const channelOverwrites_max = 100
export const guildOverwrites_max = 5000

/** A write of the overwrites of one channel, or of several with the same overwrites. */
export interface OverwritesWrite {
  /** The number in each channel, before and after. */
  readonly before: number
  readonly after: number
  readonly channels: number
}

/**
 * Refuses a write that adds overwrites beyond the bounds of a channel or its guild: INVALID_FORM_BODY with TOO_LARGE at `path`,
 * and the exceeded bound in the details. Guilds from before these bounds may have more: they keep them, and a write that adds
 * none passes.
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

/** The bound that these numbers of overwrites in a channel and in its guild exceed; undefined for none. */
export function passedBound(inChannel: number, inGuild: number): Readonly<Record<string, number>> | undefined {
  if (inChannel > channelOverwrites_max) return { max_channel_overwrites: channelOverwrites_max }
  return inGuild > guildOverwrites_max ? { max_guild_overwrites: guildOverwrites_max } : undefined
}

/** The total number of overwrites in channels. */
export function overwritesIn(channels: readonly Pick<Channel, 'overwrites'>[]): number {
  return channels.reduce((sum, { overwrites }) => sum + overwrites.length, 0)
}
