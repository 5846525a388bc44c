import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { DiscoveryApplicationObject } from '../../wire-objects/communities/discovery-application-object.ts'
import { requireManagerNow } from './require-manager.ts'
import { settleDecided } from './settle-listing.ts'
import { writtenApplication } from './written-application.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/**
 * Changes what a pending or approved application says; an approved one stays approved. Refuses with UNKNOWN_GUILD,
 * MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, DISCOVERY_APPLICATION_NOT_FOUND,
 * DISCOVERY_APPLICATION_ALREADY_REVIEWED. See rules/directory#edit-and-withdraw.
 */
export function updateDiscoveryApplication(ports: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    changes: Partial<DirectoryListing>,
  ): Promise<DiscoveryApplicationObject> => {
    await requireManagerNow(ports, caller, guildId)
    const { account, context } = caller
    const command = {
      type: 'EditDiscovery',
      by: account.id,
      byAdministrator: false,
      changes,
      now: context.now,
    } as const
    const { state } = await ports.aggregates.discoveryApplication.execute(guildId, command, context)
    return writtenApplication(state)
  }
}

/**
 * Takes the application back, whatever its status is; a listed guild leaves the directory. Refuses as
 * `updateDiscoveryApplication`, without DISCOVERY_APPLICATION_ALREADY_REVIEWED.
 */
export function withdrawDiscoveryApplication(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    await requireManagerNow(ports, caller, guildId)
    const { account, context } = caller
    const command = { type: 'WithdrawDiscovery', by: account.id, now: context.now } as const
    const { state } = await ports.aggregates.discoveryApplication.execute(guildId, command, context)
    await settleDecided(ports, guildId, state, command.type, context)
  }
}
