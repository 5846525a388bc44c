import type { AccountId, GuildId } from '../../../domain/ids/ids.js'
import { userGuildSettingsId } from '../../../domain/user-guild-settings/state.js'
import type { CommandContext } from '../../commands/command-context.js'
import { Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * Hides muted channels in a guild that an account has just joined, if the account has chosen this for all guilds (contract part
 * 1, Accept invite).
 */
export async function hideMutedChannels(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { accountId, guildId }: { readonly accountId: AccountId; readonly guildId: GuildId },
  context: CommandContext,
): Promise<void> {
  const { state } = await aggregates.userSettings.load(accountId)
  if (state.chosen.defaultHideMutedChannels !== true) return
  const change = { accountId, forGuild: guildId, changes: { hideMutedChannels: true } } as const
  const id = userGuildSettingsId(accountId, guildId)
  try {
    await aggregates.userGuildSettings.execute(id, { type: 'ChangeUserGuildSettings', ...change }, context)
  } catch (error) {
    // The account keeps changing these settings. Its own choice stands, and it is a member all the same.
    if (!(error instanceof Refused)) throw error
  }
}
