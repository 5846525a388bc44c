import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import type { DiscoveryApplicationObject } from '../../wire-objects/communities/discovery-application-object.ts'
import { requireManagerNow } from './require-manager.ts'
import { settleDecided } from './settle-listing.ts'
import { writtenApplication } from './written-application.ts'

/**
 * Applies to the directory. A guild with VERIFIED or PARTNERED is listed at once. Refuses, in this order, with
 * DISCOVERY_DISABLED, UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED,
 * DISCOVERY_INSUFFICIENT_MEMBERS, DISCOVERY_ALREADY_APPLIED. See rules/directory#apply.
 */
export function applyForDiscovery(ports: Pick<Ports, 'aggregates' | 'instancePolicies' | 'queries'>) {
  return async (caller: Caller, guildId: GuildId, listing: DirectoryListing): Promise<DiscoveryApplicationObject> => {
    const { discovery } = await ports.instancePolicies.current()
    if (!discovery.enabled) reject('DISCOVERY_DISABLED')
    const { memberCount, now: guild } = await requireManagerNow(ports, caller, guildId)
    if (memberCount < discovery.minMemberCount) reject('DISCOVERY_INSUFFICIENT_MEMBERS')
    const { account, context } = caller
    const command = {
      type: 'ApplyForDiscovery',
      guildId,
      by: account.id,
      listing,
      guild: { name: guild.name, icon: guild.settings.icon, memberCount },
      atOnce: needsNoReview(guild),
      now: context.now,
    } as const
    const { state } = await ports.aggregates.discoveryApplication.execute(guildId, command, context)
    await settleDecided(ports, guildId, state, command.type, context)
    return writtenApplication(state)
  }
}

function needsNoReview({ features }: Pick<Guild, 'features'>): boolean {
  return features.includes('VERIFIED') || features.includes('PARTNERED')
}
