import type { GuildId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { settleDecided, type SettlingNeeds } from '../../communities/discovery/settle-listing.ts'
import type { Ports } from '../../ports.ts'

/**
 * Undoes the removal of a listing: the guild is in the directory again, as it was. For whoever runs the instance. Refuses with
 * DISCOVERY_APPLICATION_NOT_FOUND, and with DISCOVERY_APPLICATION_ALREADY_REVIEWED if it is not removed.
 */
export function restoreDiscoveryListing({
  aggregates,
  queries,
}: SettlingNeeds & { readonly queries: Pick<Ports['queries'], 'discovery'> }) {
  return async (context: CommandContext, guildId: GuildId): Promise<void> => {
    const guild = (await queries.discovery.guildFacts(guildId)) ?? null
    const command = { type: 'RestoreDiscoveryListing', guild, now: context.now } as const
    const { state } = await aggregates.discoveryApplication.execute(guildId, command, context)
    await settleDecided({ aggregates }, guildId, state, command.type, context)
  }
}
