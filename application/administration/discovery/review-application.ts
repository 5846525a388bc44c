import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Acting, Caller } from '../../caller.ts'
import { settleDecided } from '../../communities/discovery/settle-listing.ts'
import { writtenApplication } from '../../communities/discovery/written-application.ts'
import type { Ports } from '../../ports.ts'
import type { DiscoveryApplicationObject } from '../../wire-objects/communities/discovery-application-object.ts'
import { judging } from './judged-guild.ts'

/** A rejection always has a reason. */
export type Review =
  | { readonly status: 'approved'; readonly reason: string | null }
  | { readonly status: 'rejected'; readonly reason: string }

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/**
 * Decides a pending application. Approving lists the guild; a guild that cannot be resolved is approved without that.
 * Refuses with DISCOVERY_APPLICATION_NOT_FOUND, DISCOVERY_APPLICATION_ALREADY_REVIEWED. See rules/directory#review.
 */
export function reviewDiscoveryApplication(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, review: Review): Promise<DiscoveryApplicationObject> => {
    const { discoveryApplication } = ports.aggregates
    const { context } = caller
    const basis = await judging(ports, caller, guildId)
    if (review.status === 'rejected') {
      const { reason } = review
      const { state } = await discoveryApplication.execute(
        guildId,
        { type: 'RejectDiscovery', reason, ...basis },
        context,
      )
      return writtenApplication(state)
    }
    const command = { type: 'ApproveDiscovery', reason: review.reason, ...basis } as const
    const { state } = await discoveryApplication.execute(guildId, command, context)
    await settleDecided(ports, guildId, state, command.type, context)
    return writtenApplication(state)
  }
}

/**
 * Takes an approved listing out of the directory. Refuses with DISCOVERY_APPLICATION_NOT_FOUND,
 * DISCOVERY_NOT_DISCOVERABLE. See rules/directory#remove.
 */
export function removeDiscoveryListing(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, reason: string): Promise<DiscoveryApplicationObject> => {
    const { context } = caller
    const command = { type: 'RemoveDiscoveryListing', reason, ...(await judging(ports, caller, guildId)) } as const
    const { state } = await ports.aggregates.discoveryApplication.execute(guildId, command, context)
    await settleDecided(ports, guildId, state, command.type, context)
    return writtenApplication(state)
  }
}

/**
 * Gives a guild DISCOVERABLE or takes it away, by its application: adding the feature approves the application,
 * whatever its status is, and removing it removes the listing (rules/directory#by-the-feature). Adding refuses with
 * DISCOVERY_APPLICATION_NOT_FOUND without an application: nothing is listed that did not ask for it. Removing does
 * nothing then.
 */
export function changeDiscoverable(ports: Needs) {
  return async (caller: Acting, guildId: GuildId, discoverable: boolean): Promise<void> => {
    const { discoveryApplication } = ports.aggregates
    const { context } = caller
    const basis = await judging(ports, caller, guildId)
    const command = { type: 'ChangeDiscoveryByFeature', discoverable, ...basis } as const
    const { state } = await discoveryApplication.execute(guildId, command, context)
    await settleDecided(ports, guildId, state, command.type, context)
  }
}
