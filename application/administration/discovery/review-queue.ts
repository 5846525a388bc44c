import { msOf, secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { DiscoveryClaim } from '../../ports/discovery-claims.ts'
import type { DiscoveryWithGuild } from '../../ports/queries/discovery-queries.ts'
import type { DecisionRecord, QueuePosition } from '../../ports/queries/review-queries.ts'
import type { Ports } from '../../ports.ts'
import { claimObject, queuedApplicationObject } from '../../wire-objects/administration/review-queue-objects.ts'
import { changesSince, lastApproval } from './changes-since.ts'
import { withOwners } from './list-discovery.ts'

/** How long a claim of an application runs. */
export const claim_seconds = 15 * 60

/** A page of the applications that wait, the longest waiting first, with what reviewers need to know of each. */
export function listReviewQueue({ discoveryClaims, queries }: Pick<Ports, 'discoveryClaims' | 'queries'>) {
  return async ({ account, context }: Caller, limit: number, after?: QueuePosition) => {
    const found = await queries.discoveryReviews.queue(limit + 1, after)
    const page = found.slice(0, limit)
    const ids = page.map(({ application }) => application.guildId)
    const [owned, decisions, claims] = await Promise.all([
      withOwners({ queries }, page),
      queries.discoveryReviews.decisionsOn(ids),
      discoveryClaims.running(ids, context.now),
    ])
    const claimOf = new Map(claims.map((claim) => [claim.guildId, claim]))
    const applications = owned.map((each) => {
      const { guildId } = each.application
      const earlier = decisions.filter((decision) => decision.guildId === guildId)
      return queuedApplicationObject(each, {
        waiting_s: secondsBetween(each.application.appliedAt, context.now),
        earlier,
        changes: changesOf(each, earlier),
        claim: claimOf.get(guildId),
        reader: account.id,
      })
    })
    const last = found.length > limit ? page.at(-1)?.application : undefined
    return { applications, next: last && { appliedAt: last.appliedAt, guildId: last.guildId } }
  }
}

/** Undefined if it was never let in. */
export function changesOf(
  { application, guild }: DiscoveryWithGuild,
  decisions: readonly DecisionRecord[],
): ReturnType<typeof changesSince> | undefined {
  const approval = lastApproval(decisions)
  return approval && changesSince(approval, { listing: application.listing, guild: guild ?? null })
}

/**
 * Tells others that the caller reviews an application, for 15 minutes. If another administrator already does, gives their claim.
 * Refuses with DISCOVERY_APPLICATION_NOT_FOUND, DISCOVERY_APPLICATION_ALREADY_REVIEWED.
 */
export function claimApplication({
  aggregates,
  discoveryClaims,
}: Pick<Ports, 'discoveryClaims'> & { readonly aggregates: Pick<Ports['aggregates'], 'discoveryApplication'> }) {
  return async ({ account, context }: Caller, guildId: GuildId) => {
    const { state } = await aggregates.discoveryApplication.load(guildId)
    if (state.status === 'absent') return reject('DISCOVERY_APPLICATION_NOT_FOUND')
    if (state.status !== 'pending') return reject('DISCOVERY_APPLICATION_ALREADY_REVIEWED')
    const { now } = context
    const wanted: DiscoveryClaim = { guildId, by: account.id, until: secondsAfter(now, claim_seconds) }
    return claimObject(await discoveryClaims.claim(wanted, now), account.id)
  }
}

/** Ends the caller's own claim, if there is one. */
export function releaseApplication({ discoveryClaims }: Pick<Ports, 'discoveryClaims'>) {
  return ({ account }: Caller, guildId: GuildId): Promise<void> => discoveryClaims.release({ guildId, by: account.id })
}

/** Whole seconds. */
export function secondsBetween(from: Timestamp, to: Timestamp): number {
  return Math.max(0, Math.floor((msOf(to) - msOf(from)) / 1000))
}
