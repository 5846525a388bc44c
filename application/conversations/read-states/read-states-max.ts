import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

/**
 * How many read states an account may have: one for each channel of as many guilds as it may be in, and for each private channel that
 * it may have open. Threads count among them (rules/messages#read-states).
 */
export async function readStates_max(
  { limits }: Pick<Ports, 'limits'>,
  { account }: Pick<Caller, 'account'>,
): Promise<number> {
  const { max_guilds, max_guild_channels, max_private_channels_per_user } = await limits.ofAccount(account)
  return max_guilds * max_guild_channels + max_private_channels_per_user
}
