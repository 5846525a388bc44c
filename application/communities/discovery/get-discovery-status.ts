import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { discoveryApplicationObject } from '../../wire-objects/communities/discovery-application-object.ts'
import { requireManager } from './require-manager.ts'

/**
 * The guild's application, and whether the guild may apply: never while the directory is turned off. Refuses with
 * UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED. See rules/directory#status.
 */
export function getDiscoveryStatus({ instancePolicies, queries }: Pick<Ports, 'instancePolicies' | 'queries'>) {
  return async (caller: Caller, guildId: GuildId) => {
    const { memberCount } = await requireManager({ queries }, caller, guildId)
    const { discovery } = await instancePolicies.current()
    const application = await queries.discovery.find(guildId)
    return {
      application: application ? discoveryApplicationObject(application) : null,
      eligible: discovery.enabled && memberCount >= discovery.minMemberCount,
      min_member_count: discovery.minMemberCount,
    }
  }
}
