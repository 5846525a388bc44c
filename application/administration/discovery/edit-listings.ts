import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { Refused } from '../../commands/refused.ts'
import { writtenApplication } from '../../communities/discovery/written-application.ts'
import type { Ports } from '../../ports.ts'
import { Unavailable } from '../../failures/unavailable.ts'
import { UnreadableEvent } from '../../failures/unreadable-event.ts'
import type { DiscoveryApplicationObject } from '../../wire-objects/communities/discovery-application-object.ts'

interface Needs {
  readonly aggregates: Pick<Ports['aggregates'], 'discoveryApplication'>
}

/**
 * Changes what a pending or approved application says, and nothing else. Refuses with DISCOVERY_APPLICATION_NOT_FOUND,
 * DISCOVERY_APPLICATION_ALREADY_REVIEWED. See rules/directory#edit-and-move-by-administrators.
 */
export function updateDiscoveryListing({ aggregates }: Needs) {
  return async (
    caller: Caller,
    guildId: GuildId,
    changes: Partial<DirectoryListing>,
  ): Promise<DiscoveryApplicationObject> => {
    const { account, context } = caller
    const command = { type: 'EditDiscovery', by: account.id, byAdministrator: true, changes, now: context.now } as const
    const { state } = await aggregates.discoveryApplication.execute(guildId, command, context)
    return writtenApplication(state)
  }
}

/** How many of the guilds have moved, and which have not; it does not say why. */
export interface MovedListings {
  readonly updated: number
  readonly failed_guild_ids: readonly GuildId[]
}

/**
 * Moves pending and approved applications to a category, each for itself. See
 * rules/directory#edit-and-move-by-administrators.
 */
export function moveDiscoveryListings({ aggregates }: Needs) {
  return async (caller: Caller, guilds: readonly GuildId[], categoryType: number): Promise<MovedListings> => {
    const { account, context } = caller
    const command = { type: 'MoveDiscoveryListing', by: account.id, categoryType, now: context.now } as const
    const distinct = [...new Set(guilds)]
    const failed: GuildId[] = []
    for (const guildId of distinct) {
      try {
        await aggregates.discoveryApplication.execute(guildId, command, context)
      } catch (error) {
        if (!isFailedWrite(error)) throw error
        failed.push(guildId)
      }
    }
    return { updated: distinct.length - failed.length, failed_guild_ids: failed }
  }
}

/** A refusal, an application that cannot be read, or a store that is out just now. */
function isFailedWrite(error: unknown): boolean {
  return error instanceof Refused || error instanceof UnreadableEvent || error instanceof Unavailable
}
