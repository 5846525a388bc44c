import type { ChannelLimits } from '../../../domain/guild/channel-commands.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { Ports } from '../../ports.ts'

/** The current limits on the channels of a guild and of its categories. */
export async function channelLimitsOf({ limits }: Pick<Ports, 'limits'>, guild: Guild): Promise<ChannelLimits> {
  const { max_guild_channels, max_channels_per_category } = await limits.ofGuild(guild)
  return { channels_max: max_guild_channels, channelsPerCategory_max: max_channels_per_category }
}
