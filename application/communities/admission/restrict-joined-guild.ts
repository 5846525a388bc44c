import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/** Takes no direct messages by way of a guild just joined, for an account that has chosen so for all (rules/members#after-a-join). */
export async function restrictJoinedGuild(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { accountId, guildId }: { readonly accountId: AccountId; readonly guildId: GuildId },
  context: CommandContext,
): Promise<void> {
  try {
    await aggregates.userSettings.execute(accountId, { type: 'RestrictJoinedGuild', accountId, guildId }, context)
  } catch (error) {
    // The account keeps changing these settings. Its own choice stands, and it is a member all the same.
    if (!(error instanceof Refused)) throw error
  }
}
