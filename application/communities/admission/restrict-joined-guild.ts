import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * Turns off direct messages from members of a guild that an account has just joined, if the account has chosen this for all
 * guilds (reference gateway 5.4).
 */
export async function restrictJoinedGuild(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { accountId, guildId }: { readonly accountId: AccountId; readonly guildId: GuildId },
  context: CommandContext,
): Promise<void> {
  const { state } = await aggregates.userSettings.load(accountId)
  const { defaultGuildsRestricted = false, botDefaultGuildsRestricted = false } = state.chosen
  if (!defaultGuildsRestricted && !botDefaultGuildsRestricted) return
  try {
    await aggregates.userSettings.execute(accountId, { type: 'RestrictJoinedGuild', accountId, guildId }, context)
  } catch (error) {
    // The account keeps changing these settings. Its own choice stands, and it is a member all the same.
    if (!(error instanceof Refused)) throw error
  }
}
