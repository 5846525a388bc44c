import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { userGuildSettingsId } from '../../../domain/user-guild-settings/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** Hides the muted channels of a guild just joined, for an account that has chosen so for every guild (rules/members#after-a-join). */
export async function hideMutedChannels(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { accountId, guildId }: { readonly accountId: AccountId; readonly guildId: GuildId },
  context: CommandContext,
): Promise<void> {
  const change = { accountId, forGuild: guildId, changes: { hideMutedChannels: true } } as const
  const id = userGuildSettingsId(accountId, guildId)
  try {
    await aggregates.userGuildSettings.execute(id, { type: 'ChangeUserGuildSettings', ...change }, context)
  } catch (error) {
    // The account keeps changing these settings. Its own choice stands, and it is a member all the same.
    if (!(error instanceof Refused)) throw error
  }
}
